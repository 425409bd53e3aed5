/** Kostal's Piko, which answers numbers for numbers, and its Plenticore behind a challenge and response (SCRAM). */
import { createDecipheriv, createHmac, hash, pbkdf2Sync } from "node:crypto";
import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import { HttpTwin, houseTruth, json, NOT_FOUND, type TwinRequest } from "./http-twin.ts";

export class PikoTwin extends HttpTwin {
  readonly house = houseTruth();

  protected override answer({ path, query }: TwinRequest): SimWebAnswer {
    if (path !== "/api/dxs.json") return NOT_FOUND;
    const { pv, produced } = this.house;
    const held: Readonly<Record<string, unknown>> = {
      67109120: pv,
      251658753: produced / 1_000,
      16777984: "Piko 10.1",
      16777728: "90342XXX0001",
      16779265: "05.31",
    };
    const entries = query.getAll("dxsEntries").map((id) => ({ dxsId: Number(id), value: held[id] ?? null }));
    return json({ dxsEntries: entries, session: { sessionId: 1, roleId: 0 }, status: { code: 0 } });
  }
}

const SALT = Buffer.from("a salt of the inverter").toString("base64");
const ROUNDS = 2_900;

interface SignIn {
  readonly message: string;
  readonly token: string;
}

export class PlenticoreTwin extends HttpTwin {
  readonly house = houseTruth();
  hasBattery = true;
  /** Sign-ins that went through. */
  sessions = 0;
  readonly #salted: Uint8Array;
  readonly #signIns = new Map<string, SignIn>();
  #sessionId: string | null = null;

  constructor(password: string) {
    super();
    this.#salted = pbkdf2Sync(password, Buffer.from(SALT, "base64"), ROUNDS, 32, "sha256");
  }

  /** Forgets the session, as after a time of silence. */
  expire(): void {
    this.#sessionId = null;
  }

  protected override answer({ method, path, headers, body }: TwinRequest): SimWebAnswer {
    if (method === "POST") return this.#auth(path, JSON.parse(body));
    if (path === "/api/v1/info/version") return json({ sw_version: "02.15.16900", hostname: "plenticore" });
    if (this.#sessionId === null || headers["authorization"] !== `Session ${this.#sessionId}`) {
      return json({ message: "not authorized" }, 401);
    }
    const [, kind, module = "", ids = ""] = /^\/api\/v1\/(\w+)\/([^/]+)\/(.+)$/.exec(decodeURIComponent(path)) ?? [];
    if (kind === "settings") {
      return json([
        { id: "Properties:SerialNo", value: "90342ABC00123" },
        { id: "Branding:ProductName1", value: "PLENTICORE plus" },
      ]);
    }
    const held = this.#modules()[module];
    if (held === undefined) return json({ message: "module not found" }, 404);
    const processdata = ids.split(",").map((id) => ({ id, unit: "", value: held[id] ?? 0 }));
    return json([{ moduleid: module, processdata }]);
  }

  #auth(path: string, given: Readonly<Record<string, unknown>>): SimWebAnswer {
    if (path === "/api/v1/auth/start") {
      if (given["username"] !== "user") return json({ message: "unknown user" }, 400);
      const nonce = Buffer.from(`server ${this.#signIns.size}`).toString("base64");
      const transactionId = hash("sha256", `${nonce} ${given["nonce"]}`);
      const message = `n=user,r=${given["nonce"]},r=${nonce},s=${SALT},i=${ROUNDS},c=biws,r=${nonce}`;
      this.#signIns.set(transactionId, { message, token: `token ${this.#signIns.size}` });
      return json({ nonce, transactionId, salt: SALT, rounds: ROUNDS });
    }
    const transactionId = String(given["transactionId"]);
    const signIn = this.#signIns.get(transactionId);
    if (signIn === undefined) return json({ message: "unknown transaction" }, 400);
    const clientKey = mac(this.#salted, "Client Key");
    const storedKey = createSum(clientKey);
    if (path === "/api/v1/auth/finish") {
      const signature = mac(storedKey, signIn.message);
      const proof = clientKey.map((byte, at) => byte ^ (signature[at] ?? 0));
      if (Buffer.from(proof).toString("base64") !== given["proof"]) return json({ message: "wrong password" }, 400);
      const own = mac(mac(this.#salted, "Server Key"), signIn.message).toString("base64");
      return json({ token: signIn.token, signature: own });
    }
    if (path !== "/api/v1/auth/create_session") return NOT_FOUND;
    const key = createHmac("sha256", storedKey).update("Session Key").update(signIn.message).update(clientKey).digest();
    if (open(key, given) !== signIn.token) return json({ message: "wrong token" }, 400);
    this.sessions += 1;
    this.#sessionId = hash("sha256", transactionId);
    return json({ sessionId: this.#sessionId });
  }

  #modules(): Readonly<Record<string, Readonly<Record<string, number>>>> {
    const { grid, pv, battery, load, soc, produced, frequency } = this.house;
    return {
      "devices:local": { Dc_P: pv, Grid_P: grid, Home_P: load },
      ...(this.hasBattery ? { "devices:local:battery": { P: -battery, SoC: soc } } : {}),
      "devices:local:powermeter": { Frequency: frequency, L1_P: grid - 300, L1_U: 231.5, L1_I: 2.5 },
      "scb:statistic:EnergyFlow": { "Statistic:Yield:Total": produced },
    };
  }
}

function mac(key: Uint8Array, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function createSum(key: Uint8Array): Buffer {
  return hash("sha256", key, "buffer");
}

/** What a client sealed with the key; null when it is not that key. */
function open(key: Uint8Array, given: Readonly<Record<string, unknown>>): string | null {
  const bytes = (name: string): Buffer => Buffer.from(String(given[name]), "base64");
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, bytes("iv")).setAuthTag(bytes("tag"));
    return Buffer.concat([decipher.update(bytes("payload")), decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}
