/** A small SMTP server on the loopback, for mails that stay in memory. */
import { createServer, type Socket } from "node:net";

export interface SinkMail {
  readonly from: string;
  readonly to: readonly string[];
  /** As it came, with headers. */
  readonly data: string;
}

export interface SinkOptions {
  /** `user:password` that it wants; absent: none. */
  readonly account?: string;
  /** Answers to a recipient, such as 550. */
  readonly recipientCode?: number;
  /** What it says first; default a greeting. */
  readonly greeting?: string;
}

/** What one client says, line by line. */
class Session {
  readonly #options: SinkOptions;
  readonly #taken: (mail: SinkMail) => void;
  #data: string[] | null = null;
  #from = "";
  #to: string[] = [];

  constructor(options: SinkOptions, taken: (mail: SinkMail) => void) {
    this.#options = options;
    this.#taken = taken;
  }

  /** Returns the answer; `null` within a mail. */
  answer(line: string): string | null {
    const { account, recipientCode = 250 } = this.#options;
    if (this.#data !== null) return this.#readData(this.#data, line);
    switch (line.toUpperCase().split(" ", 1)[0]) {
      case "EHLO":
        return account === undefined ? "250 sink" : "250-sink\r\n250 AUTH PLAIN";
      case "AUTH": {
        const shown = Buffer.from(line.split(" ")[2] ?? "", "base64")
          .toString()
          .split("\0")
          .slice(1)
          .join(":");
        return shown === account ? "235 ok" : "535 5.7.8 wrong password of anna@example.com";
      }
      case "MAIL":
        this.#from = line;
        this.#to = [];
        return "250 ok";
      case "RCPT":
        this.#to.push(line);
        return `${recipientCode} anna@example.com`;
      case "DATA":
        this.#data = [];
        return "354 go on";
      case "STARTTLS":
        return "502 not here";
      case "QUIT":
        return "221 bye";
      default:
        return "250 ok";
    }
  }

  #readData(data: string[], line: string): string | null {
    if (line !== ".") {
      data.push(line);
      return null;
    }
    this.#taken({ from: this.#from, to: this.#to, data: data.join("\n") });
    this.#data = null;
    return "250 taken";
  }
}

export async function openSmtpSink(options: SinkOptions = {}) {
  const mails: SinkMail[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
    const session = new Session(options, (mail) => mails.push(mail));
    let buffered = "";
    socket.on("data", (bytes) => {
      buffered += bytes.toString();
      const lines = buffered.split("\r\n");
      buffered = lines.pop() ?? "";
      for (const line of lines) {
        const answer = session.answer(line);
        if (answer !== null) socket.write(`${answer}\r\n`);
      }
    });
    socket.write(`${options.greeting ?? "220 sink ESMTP"}\r\n`);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve());
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    mails,
    port: address.port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
