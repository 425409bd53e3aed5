/** A server answered a WebSocket's handshake with another status than 101. */
export class HandshakeRefused extends Error {
  override readonly name = "HandshakeRefused";
  readonly status: number;

  constructor(host: string, status: number) {
    super(`${host} refused the WebSocket: ${status}`);
    this.status = status;
  }
}
