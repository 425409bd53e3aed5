/** A valid profile with comments, to begin a new one from. */
export const PROFILE_STARTER = `# A device with registers (Modbus), as data. Put this file into <state folder>/profiles, named as its id, and name the id
# in the configuration:
#
#   devices:
#     - { id: cellar-meter, adapter: modbus, profile: my-meter, host: 192.168.1.40 }
#
# Before that:  hemgate profile check my-meter.yaml
#               hemgate profile test my-meter.yaml --host 192.168.1.40
# Other profiles show how things are done:  hemgate profile show sungrow-sh

id: my-meter            # lower-case letters, digits and dashes; as the file's name, and none that is built in
brand: Maker
model: Model 1

# Ways to reach it, the usual one first: tcp, rtu-over-tcp or udp with port and unit; rtu or ascii on a serial line.
transports:
  - { kind: tcp, port: 502, unit: 1 }
  - { kind: rtu, unit: 1, baudRate: 9600, parity: none, dataBits: 8, stopBits: 1 }

limits:
  maxRegisters: 60      # most registers in one read, at most 125
  minGapMs: 0           # pause between requests, ms
  isOneValuePerRequest: false

# Addresses are those on the wire, from 0: 40001 in a manual is holding register 0. Hexadecimal goes in quotes: "0x10".
# key:       what it is (W, Wh, A, V, Hz, %), or raw.NAME for what others are made of
# table:     holding, input, coil, discrete
# type:      uint16 int16 uint32 int32 uint64 int64 float32 float64 string (with words: its length in registers)
# wordOrder: little when the least significant register comes first
# scale:     value = raw × scale; negative to turn the sign. + is into a battery, import of a meter, production of the sun
# sentinels: raw values that mean "no value"
# poll:      fast (1 s), normal (5 s), slow (60 s)
points:
  - { key: meter.power, table: holding, address: 0, type: int32, poll: fast }
  - { key: meter.voltage.l1, table: holding, address: 2, type: uint16, scale: 0.1, sentinels: ["0xFFFF"] }
  - { key: raw.import, table: holding, address: 4, type: uint32, wordOrder: little, poll: slow }

# Points that are made of registers: of, sum, sumKnown, minus, times, quotient, least, greatest, absolute, round, floor,
# first, lookup, when. What is unknown stays unknown.
derived:
  - { point: meter.energyImport, value: { times: [{ of: raw.import }, 10] } }

# Parts that the device may lack, such as the battery of an inverter, are shown only while their condition was true once:
# parts:
#   battery: { when: { of: { of: battery.soc }, atLeast: 1 } }

# What may be written. It is off until the device's entry says confirmUnverified: true, or names it in a list there. Nothing here: it is only read.
# controls:
#   - point: charger.maxCurrent
#     range: { min: 6, max: 16 }
#     safeDefault: as-found       # what a stop of the gateway leaves behind
#     write:
#       steps:
#         - { address: 100, code: 6, fields: [{ type: uint16, scale: 0.1, value: { wish: true } }] }
controls: []
`;
