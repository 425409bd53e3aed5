/* libmodbus as server: 10,000 holding and input registers that hold their own address, and as many coils. Prints its port. */
#include <arpa/inet.h>
#include <errno.h>
#include <modbus.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

enum { REGISTERS = 10000, CLIENTS = 16 };

int main(void) {
  modbus_t *context = modbus_new_tcp("127.0.0.1", 0);
  modbus_mapping_t *mapping = modbus_mapping_new(REGISTERS, 0, REGISTERS, REGISTERS);
  if (context == NULL || mapping == NULL) return 1;
  for (int address = 0; address < REGISTERS; address++) {
    mapping->tab_registers[address] = (uint16_t)address;
    mapping->tab_input_registers[address] = (uint16_t)(address + 1);
  }
  int listening = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t length = sizeof(name);
  if (bind(listening, (struct sockaddr *)&name, length) != 0 || listen(listening, CLIENTS) != 0) return 1;
  getsockname(listening, (struct sockaddr *)&name, &length);
  printf("%d\n", ntohs(name.sin_port));
  fflush(stdout);

  fd_set open;
  FD_ZERO(&open);
  FD_SET(listening, &open);
  int highest = listening;
  for (;;) {
    fd_set ready = open;
    if (select(highest + 1, &ready, NULL, NULL, NULL) < 0) return 1;
    for (int descriptor = 0; descriptor <= highest; descriptor++) {
      if (!FD_ISSET(descriptor, &ready)) continue;
      if (descriptor == listening) {
        int client = accept(listening, NULL, NULL);
        if (client < 0) continue;
        FD_SET(client, &open);
        if (client > highest) highest = client;
        continue;
      }
      uint8_t request[MODBUS_TCP_MAX_ADU_LENGTH];
      modbus_set_socket(context, descriptor);
      int bytes = modbus_receive(context, request);
      if (bytes > 0) modbus_reply(context, request, bytes, mapping);
      if (bytes == -1) {
        close(descriptor);
        FD_CLR(descriptor, &open);
      }
    }
  }
}
