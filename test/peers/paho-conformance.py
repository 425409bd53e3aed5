"""What MQTT 3.1.1 asks of a server, asked by Eclipse Paho: one line of JSON a case, {"case": name, "wrong": why or null}.

usage: paho-conformance.py PORT TLS_PORT CA_FILE
"""

import json
import queue
import socket
import sys
import threading

import paho.mqtt.client as mqtt

WAIT_S = 10
UNSUPPORTED_VERSION = 0x84
PORT, TLS_PORT, CA_FILE = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]


class Client:
    """Paho with what it hears in queues."""

    def __init__(self, name, clean=True, tls=False, protocol=mqtt.MQTTv311, will=None, keepalive=60):
        clean_session = None if protocol == mqtt.MQTTv5 else clean
        self.paho = mqtt.Client(client_id=name, clean_session=clean_session, protocol=protocol)
        self.paho.username_pw_set("plug", "right")
        if tls:
            self.paho.tls_set(ca_certs=CA_FILE)
        if will is not None:
            self.paho.will_set(*will)
        self.heard, self.acks, self.grants = queue.Queue(), queue.Queue(), queue.Queue()
        self.done, self.gone = queue.Queue(), threading.Event()
        self.paho.on_connect = lambda _c, _u, flags, code, *_: self.acks.put((code, flags))
        self.paho.on_message = lambda _c, _u, m: self.heard.put((m.topic, m.payload.decode(), m.qos, bool(m.retain)))
        self.paho.on_subscribe = lambda _c, _u, _id, granted, *_: self.grants.put(tuple(granted))
        self.paho.on_unsubscribe = lambda *_: self.done.put(True)
        self.paho.on_disconnect = lambda *_: self.gone.set()
        self.paho.reconnect_delay_set(min_delay=60, max_delay=60)
        self.paho.connect("localhost" if tls else "127.0.0.1", TLS_PORT if tls else PORT, keepalive)
        self.paho.loop_start()
        self.code, self.flags = self.acks.get(timeout=WAIT_S)

    def subscribe(self, *filters):
        self.paho.subscribe(list(filters))
        return self.grants.get(timeout=WAIT_S)

    def publish(self, topic, text, qos=1, retain=False):
        self.paho.publish(topic, text, qos, retain).wait_for_publish(WAIT_S)

    def next(self):
        return self.heard.get(timeout=WAIT_S)

    def until_end(self):
        """All that is heard before the message `end`."""
        all_heard = []
        while (message := self.next())[1] != "end":
            all_heard.append(message)
        return all_heard

    def drop(self):
        """Is gone without a goodbye."""
        self.paho.loop_stop()
        self.paho.socket().shutdown(socket.SHUT_RDWR)

    def close(self):
        self.paho.disconnect()
        self.paho.loop_stop()


def equal(seen, wanted):
    if seen != wanted:
        raise AssertionError(f"{seen!r} in place of {wanted!r}")


def basic(tls):
    reader, writer = Client("reader", tls=tls), Client("writer", tls=tls)
    equal(reader.subscribe(("tele/#", 2)), (2,))
    for qos in (0, 1, 2):
        writer.publish(f"tele/{qos}", "x", qos)
    equal([reader.next() for _ in range(3)], [(f"tele/{qos}", "x", qos, False) for qos in (0, 1, 2)])


def retained(_):
    writer = Client("writer")
    for topic, text in (("tele/r/1", "old"), ("tele/r/1", "new"), ("tele/r/2", "x"), ("tele/r/2", "")):
        writer.publish(topic, text, 1, True)
    reader = Client("reader")
    reader.subscribe(("tele/r/+", 1))
    equal(reader.next(), ("tele/r/1", "new", 1, True))
    writer.publish("tele/r/3", "end")
    equal(reader.until_end(), [])
    writer.publish("tele/r/1", "", 1, True)


def zero_length_client_id(_):
    equal(Client("").code, 0)
    # Paho does not send the other one: a session to keep without a name.
    with socket.create_connection(("127.0.0.1", PORT)) as raw:
        raw.sendall(b"\x10\x1b\x00\x04MQTT\x04\xc0\x00\x3c\x00\x00\x00\x04plug\x00\x05right")
        raw.settimeout(WAIT_S)
        answer = raw.recv(4)
        equal(answer in (b"", b"\x20\x02\x00\x02"), True)


def will(_):
    reader = Client("reader")
    reader.subscribe(("tele/will/#", 1))
    Client("lost", will=("tele/will/lost", "gone", 1, False)).drop()
    equal(reader.next()[:2], ("tele/will/lost", "gone"))
    Client("polite", will=("tele/will/polite", "gone", 1, False)).close()
    reader.publish("tele/will/x", "end")
    equal(reader.until_end(), [])


def offline_queue(_):
    first = Client("sleeper", clean=False)
    first.subscribe(("tele/q/#", 2))
    first.close()
    writer = Client("writer")
    for qos in (1, 2):
        writer.publish("tele/q/1", f"at {qos}", qos)
    second = Client("sleeper", clean=False)
    equal(second.flags["session present"], 1)
    equal([second.next()[1] for _ in range(2)], ["at 1", "at 2"])
    second.close()
    equal(Client("sleeper").flags["session present"], 0)


def overlapping(_):
    reader, writer = Client("reader"), Client("writer")
    reader.subscribe(("tele/o/#", 2), ("tele/o/+", 1))
    writer.publish("tele/o/1", "x", 2)
    writer.publish("tele/o/2", "end", 2)
    seen = reader.until_end()
    # One for all of them at the highest, or one for each.
    equal(seen in ([("tele/o/1", "x", 2, False)], [("tele/o/1", "x", 2, False), ("tele/o/1", "x", 1, False)]), True)


def keepalive(_):
    reader = Client("reader")
    reader.subscribe(("tele/k/#", 1))
    silent = Client("silent", will=("tele/k/silent", "gone", 1, False), keepalive=1)
    silent.paho.loop_stop()
    equal(reader.next()[:2], ("tele/k/silent", "gone"))


def redelivery(_):
    first = Client("again", clean=False)
    first.subscribe(("tele/d/#", 2))
    first.drop()
    writer = Client("writer")
    for qos in (1, 2):
        writer.publish("tele/d/1", f"at {qos}", qos)
    second = Client("again", clean=False)
    equal([second.next()[1] for _ in range(2)], ["at 1", "at 2"])
    second.publish("tele/d/1", "end", 1)
    equal(second.until_end(), [])
    second.close()
    Client("again").close()


def subscribe_failure(_):
    equal(Client("reader").subscribe(("tele/#", 1), ("secret/#", 1), ("$SYS/#", 0), ("cmnd/#", 2)), (1, 128, 128, 2))


def dollar_topics(_):
    reader = Client("reader")
    reader.subscribe(("#", 1))
    spoof = Client("spoof")
    spoof.paho.publish("$SYS/x/new/clients", "reader", 0)
    equal(spoof.gone.wait(WAIT_S), True)
    reader.publish("tele/x", "end")
    equal(reader.until_end(), [])
    equal(reader.gone.is_set(), False)


def unsubscribe(_):
    reader = Client("reader")
    reader.subscribe(("tele/a", 1), ("tele/b", 1))
    reader.paho.unsubscribe("tele/a")
    reader.done.get(timeout=WAIT_S)
    reader.publish("tele/a", "x")
    reader.publish("tele/b", "end")
    equal(reader.until_end(), [])


def version_5_is_refused(_):
    client = Client("five", protocol=mqtt.MQTTv5)
    # Paho makes the code of MQTT 5 of that of 3.1.1.
    equal(int(str(client.code)), UNSUPPORTED_VERSION)
    client.close()
    equal(Client("five").code, 0)


CASES = {
    "basic": basic,
    "basic over TLS": lambda _: basic(True),
    "retained messages": retained,
    "zero-length client id": zero_length_client_id,
    "will": will,
    "offline queue": offline_queue,
    "overlapping subscriptions": overlapping,
    "keepalive": keepalive,
    "redelivery on reconnect": redelivery,
    "subscribe failure": subscribe_failure,
    "dollar topics": dollar_topics,
    "unsubscribe": unsubscribe,
    "version 5 is refused": version_5_is_refused,
}

for name, case in CASES.items():
    wrong = None
    try:
        case(False)
    except Exception as error:  # Whatever it is, the other cases are still worth asking.
        wrong = f"{type(error).__name__} {error}"
    print(json.dumps({"case": name, "wrong": wrong}), flush=True)
