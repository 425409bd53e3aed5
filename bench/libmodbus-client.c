/* Reads 60 registers with libmodbus, again and again. Arguments: port, warm-up reads, reads. Prints CPU and wall ms. */
#include <modbus.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>

static double cpu_ms(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return 1e3 * (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-3 * (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static double wall_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e3 * now.tv_sec + 1e-6 * now.tv_nsec;
}

int main(int count, char **arguments) {
  if (count != 4) return 2;
  modbus_t *context = modbus_new_tcp("127.0.0.1", atoi(arguments[1]));
  if (context == NULL || modbus_connect(context) != 0) return 1;
  int warmup = atoi(arguments[2]);
  int reads = atoi(arguments[3]);
  uint16_t registers[60];
  double cpu = 0;
  double wall = 0;
  for (int index = 0; index < warmup + reads; index++) {
    if (index == warmup) {
      cpu = cpu_ms();
      wall = wall_ms();
    }
    if (modbus_read_registers(context, 0, 60, registers) != 60) return 1;
  }
  printf("{\"cpuMs\":%f,\"wallMs\":%f}\n", cpu_ms() - cpu, wall_ms() - wall);
  return 0;
}
