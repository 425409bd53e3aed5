"""Listens as systemd does for notifications, at the path given, and prints each on a line."""
import socket
import sys

listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
listener.bind(sys.argv[1])
print("listening", flush=True)
while True:
    for state in listener.recv(4096).decode().split("\n"):
        # The sender waits until the listener has seen this one; it says nothing about the service.
        if state and state != "BARRIER=1":
            print(state, flush=True)
