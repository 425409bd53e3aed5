/* libmodbus as RTU device 17 on a serial port: registers hold their own address, every third bit is set. Argument: port. */
#include <modbus.h>
#include <stdio.h>

enum { REGISTERS = 10000, BITS = 1000, UNIT = 17 };

int main(int count, char **arguments) {
  if (count != 2) return 2;
  modbus_t *context = modbus_new_rtu(arguments[1], 19200, 'N', 8, 1);
  modbus_mapping_t *mapping = modbus_mapping_new(BITS, BITS, REGISTERS, REGISTERS);
  if (context == NULL || mapping == NULL) return 1;
  for (int address = 0; address < REGISTERS; address++) {
    mapping->tab_registers[address] = (uint16_t)address;
    mapping->tab_input_registers[address] = (uint16_t)(address + 1);
  }
  for (int address = 0; address < BITS; address++) {
    mapping->tab_bits[address] = address % 3 == 0;
    mapping->tab_input_bits[address] = address % 3 == 1;
  }
  modbus_set_slave(context, UNIT);
  if (modbus_connect(context) != 0) {
    perror("modbus_connect");
    return 1;
  }
  printf("0\n");
  fflush(stdout);
  for (;;) {
    uint8_t request[MODBUS_RTU_MAX_ADU_LENGTH];
    int bytes = modbus_receive(context, request);
    if (bytes > 0) modbus_reply(context, request, bytes, mapping);
  }
}
