/*
 * Devices with libmodbus: each answers at an address of its own, 127.0.0.2 and on, all at one port. Their 10,000 holding
 * registers hold their own address, and those at odd addresses more by 500 from device to device: fifty meters that all read
 * the same would be what the checks of an installation look for. Prints the port, and then a line a read: device, address, monotonic ms.
 * Argument: how many devices.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <modbus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { REGISTERS = 10000, CLIENTS = 16, STEP = 500, MAX_DEVICES = 200 };

static int device_of[FD_SETSIZE];

static double now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e3 * now.tv_sec + 1e-6 * now.tv_nsec;
}

/* Answers the port, or -1. */
static int listen_at(int device, int port, int *descriptor) {
  struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons(port)};
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1 + device);
  socklen_t length = sizeof(name);
  *descriptor = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(*descriptor, (struct sockaddr *)&name, length) != 0 || listen(*descriptor, CLIENTS) != 0) return -1;
  getsockname(*descriptor, (struct sockaddr *)&name, &length);
  return ntohs(name.sin_port);
}

int main(int count, char **arguments) {
  int devices = count == 2 ? atoi(arguments[1]) : 0;
  modbus_t *context = modbus_new_tcp("127.0.0.1", 0);
  modbus_mapping_t *mappings[MAX_DEVICES];
  if (devices < 1 || devices > MAX_DEVICES || context == NULL) return 2;
  for (int device = 0; device < devices; device++) {
    mappings[device] = modbus_mapping_new(0, 0, REGISTERS, 0);
    if (mappings[device] == NULL) return 2;
    for (int address = 0; address < REGISTERS; address++) {
      mappings[device]->tab_registers[address] = (uint16_t)(address + address % 2 * STEP * device);
    }
  }
  fd_set open;
  FD_ZERO(&open);
  int highest = 0;
  int port = 0;
  int last_listening = 0;
  for (int device = 0; device < devices; device++) {
    int descriptor;
    port = listen_at(device, port, &descriptor);
    if (port < 0) return 1;
    FD_SET(descriptor, &open);
    device_of[descriptor] = device;
    if (descriptor > highest) highest = last_listening = descriptor;
  }
  setvbuf(stdout, NULL, _IOLBF, 0);
  printf("%d\n", port);
  for (;;) {
    fd_set ready = open;
    if (select(highest + 1, &ready, NULL, NULL, NULL) < 0) return 1;
    double ms = now_ms();
    for (int descriptor = 0; descriptor <= highest; descriptor++) {
      if (!FD_ISSET(descriptor, &ready)) continue;
      if (descriptor <= last_listening) {
        int client = accept(descriptor, NULL, NULL);
        if (client < 0 || client >= FD_SETSIZE) continue;
        FD_SET(client, &open);
        device_of[client] = device_of[descriptor];
        if (client > highest) highest = client;
        continue;
      }
      uint8_t request[MODBUS_TCP_MAX_ADU_LENGTH];
      modbus_set_socket(context, descriptor);
      int bytes = modbus_receive(context, request);
      if (bytes >= 10) {
        printf("%d %d %.3f\n", device_of[descriptor], request[8] << 8 | request[9], ms);
        modbus_reply(context, request, bytes, mappings[device_of[descriptor]]);
      } else if (bytes == -1) {
        close(descriptor);
        FD_CLR(descriptor, &open);
      }
    }
  }
}
