"""Receives webhooks of a gateway: checks who sent them, and takes each delivery once."""
import collections, hashlib, hmac, http.server, json, os, sys

SECRET = os.environ.get("WEBHOOK_SECRET", "")
MAX_BYTES, MAX_REMEMBERED = 1_000_000, 10_000
# Ids of deliveries that were taken. A program that keeps events in a database keeps these there, in one transaction.
taken = collections.OrderedDict()


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers.get("content-length", MAX_BYTES + 1))
        if length > MAX_BYTES:
            return self.send_error(413)
        body = self.rfile.read(length)
        # The prefix of the headers is the gateway's `compat.namePrefix`.
        signature = self.headers.get("x-service-signature-256", "")
        expected = "sha256=" + hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
        is_genuine = hmac.compare_digest(expected.encode(), signature.encode())
        self.send_response(204 if is_genuine else 401)
        self.end_headers()
        delivery = self.headers.get("x-service-delivery", "")
        # The same delivery comes again when the gateway did not get the answer.
        if not is_genuine or delivery in taken:
            return
        taken[delivery] = True
        if len(taken) > MAX_REMEMBERED:
            taken.popitem(last=False)
        for event in json.loads(body):
            print(event["createdAt"], event["event"], event.get("user", {}).get("id", "-"), flush=True)

    def log_message(self, *_):
        pass


if len(SECRET) < 6:
    sys.exit("set WEBHOOK_SECRET to the secret of the webhook")
server = http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "9000"))), Receiver)
print("listening", server.server_port, flush=True)
server.serve_forever()
