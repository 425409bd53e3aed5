/** What is said of a device that cannot be reached, and what to do, in English. */
export const REACH_ENGLISH = {
  "connection-refused":
    "A device is at this address, but it takes no connection at this port. Check the port, and switch the interface (such as Modbus TCP) on in the device’s settings.",
  "no-such-host":
    "No device is at this address. Check the address in your router’s list of devices, and that the device is on.",
  "name-not-found":
    "The network knows no device of this name. Enter its address instead, such as 192.168.1.40, without http:// before it.",
  "outside-house":
    "This address is not in your home network. Enter the address that the device has at home, such as 192.168.1.40.",
  "no-serial-port":
    "The gateway cannot open this serial port. Check its name and that the adapter is plugged in, and close other programs that use it.",
  "wrong-unit":
    "The connection works, but no device with this unit number is behind it. Check the unit number (slave ID) in the device’s settings.",
  "not-answering":
    "The device does not answer. Check its unit number if it has one, close other programs that use it, and restart it.",
  "rate-limited": "Too many attempts in a short time. Wait for a few minutes.",
  unavailable: "The maker’s service does not answer at the moment. Try again in a few minutes.",
};

export type ReachTexts = typeof REACH_ENGLISH;
