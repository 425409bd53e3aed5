"""pymodbus as server: 10,000 holding and input registers that hold their own address, and as many coils. Prints its port."""

import asyncio

from pymodbus.datastore import ModbusSequentialDataBlock, ModbusServerContext, ModbusSlaveContext
from pymodbus.server.async_io import ModbusTcpServer

REGISTERS = 10_000


async def main():
    registers = ModbusSlaveContext(
        co=ModbusSequentialDataBlock(0, [0] * REGISTERS),
        hr=ModbusSequentialDataBlock(0, list(range(REGISTERS))),
        ir=ModbusSequentialDataBlock(0, list(range(1, REGISTERS + 1))),
        zero_mode=True,
    )
    server = ModbusTcpServer(ModbusServerContext(slaves=registers, single=True), address=("127.0.0.1", 0))
    serving = asyncio.create_task(server.serve_forever())
    await server.serving
    print(server.server.sockets[0].getsockname()[1], flush=True)
    await serving


asyncio.run(main())
