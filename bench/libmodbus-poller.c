/*
 * Polls devices with libmodbus at 1 Hz, one request after the other, over a connection each: device n is at 127.0.0.(2 + n).
 * Arguments: port, devices, blocks, registers a block. Block n starts at register 1000 × n. Runs until it is killed.
 */
#include <modbus.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* On a busy machine an answer may take longer than the half second that libmodbus waits. */
enum { BLOCK_STEP = 1000, TIMEOUT_S = 10 };

int main(int count, char **arguments) {
  if (count != 5) return 2;
  int port = atoi(arguments[1]);
  int devices = atoi(arguments[2]);
  int blocks = atoi(arguments[3]);
  int registers = atoi(arguments[4]);
  modbus_t *contexts[200];
  uint16_t values[MODBUS_MAX_READ_REGISTERS];
  if (devices < 1 || devices > 200 || registers < 1 || registers > MODBUS_MAX_READ_REGISTERS) return 2;
  for (int device = 0; device < devices; device++) {
    char host[32];
    snprintf(host, sizeof(host), "127.0.0.%d", 2 + device);
    contexts[device] = modbus_new_tcp(host, port);
    if (contexts[device] != NULL) modbus_set_response_timeout(contexts[device], TIMEOUT_S, 0);
    if (contexts[device] == NULL || modbus_connect(contexts[device]) != 0) return 1;
  }
  struct timespec due;
  clock_gettime(CLOCK_MONOTONIC, &due);
  for (;;) {
    for (int device = 0; device < devices; device++) {
      for (int block = 0; block < blocks; block++) {
        if (modbus_read_registers(contexts[device], block * BLOCK_STEP, registers, values) != registers) return 1;
      }
    }
    due.tv_sec += 1;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
  }
}
