import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type BackupEntry, decodeBackupEntries, encodeBackupEntry } from "../../../src/store/backup/backup-entries.ts";
import { BackupError } from "../../../src/store/backup/backup-error.ts";
import { CHUNK_BYTES, openBackup, sealBackup } from "../../../src/store/backup/backup-file.ts";
import { SeededRandom } from "../../../src/testing/seeded-random.ts";

const PASSPHRASE = "correct horse battery";
/** The real derivation takes a tenth of a second; what it is made of is the same. */
const random = new SeededRandom(7);
const keyOf = new Map<string, Promise<Uint8Array>>();
const secret = {
  random: {
    secretBytes: (count: number) => random.secretBytes(count),
    scrypt: (text: string, salt: Uint8Array) => {
      const name = `${text} ${Buffer.from(salt).toString("hex")}`;
      const known = keyOf.get(name) ?? random.scrypt(text, salt);
      keyOf.set(name, known);
      return known;
    },
  },
};

async function* piecesOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function listOf<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

async function whole(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await listOf(pieces));
}

const sealed = (content: Uint8Array): Promise<Buffer> =>
  whole(sealBackup(piecesOf(content, 1_000), { ...secret, passphrase: PASSPHRASE }));
const opened = (file: Uint8Array, passphrase = PASSPHRASE, size = 10_000): Promise<Buffer> =>
  whole(openBackup(piecesOf(file, size), { ...secret, passphrase }));

async function problemOf(file: Uint8Array, passphrase?: string): Promise<BackupError> {
  const error: unknown = await opened(file, passphrase).then(
    () => null,
    (failure: unknown) => failure,
  );
  if (error instanceof BackupError) return error;
  throw new Error(`no BackupError: ${String(error)}`);
}

describe("the file of a backup", () => {
  test.each([0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES])(
    "gives %i bytes of content back, in whatever pieces it is read",
    async (length) => {
      const content = Buffer.from(random.secretBytes(length));
      const file = await sealed(content);
      expect((await opened(file)).equals(content)).toBe(true);
      expect((await opened(file, PASSPHRASE, 7_001)).equals(content)).toBe(true);
      expect(file.includes(content.subarray(0, 16)) && length >= 16).toBe(false);
    },
  );

  test("is another one each time, also for the same content and passphrase", async () => {
    const content = Buffer.from("the same");
    const [one, other] = [await sealed(content), await sealed(content)];
    expect(one.subarray(9).equals(other.subarray(9))).toBe(false);
  });

  const LONG = Buffer.from(random.secretBytes(2 * CHUNK_BYTES + 500));
  const file = sealed(LONG);

  test("that is cut anywhere does not open to its end", async () => {
    const bytes = await file;
    const cuts = fc.oneof(
      fc.integer({ min: 0, max: bytes.length - 1 }),
      fc.constantFrom(0, 1, 8, 44, 45, 45 + CHUNK_BYTES + 16, 45 + 2 * (CHUNK_BYTES + 16), bytes.length - 1),
    );
    await fc.assert(
      fc.asyncProperty(cuts, async (end) => {
        const { kind } = await problemOf(bytes.subarray(0, end));
        expect(["foreign", "cut", "changed"]).toContain(kind);
      }),
      { numRuns: 150 },
    );
  });

  test("says that its end is missing when it was cut between two chunks", async () => {
    const bytes = await file;
    expect((await problemOf(bytes.subarray(0, 45 + CHUNK_BYTES + 16))).kind).toBe("cut");
    expect((await problemOf(bytes.subarray(0, 30))).kind).toBe("cut");
    expect((await problemOf(bytes.subarray(0, -1))).message).toMatch(/changed .* or its end is missing/);
  });

  test("in which any bit is flipped does not open to its end", async () => {
    const bytes = await file;
    const places = fc.oneof(fc.integer({ min: 0, max: bytes.length - 1 }), fc.integer({ min: 0, max: 60 }));
    await fc.assert(
      fc.asyncProperty(places, fc.integer({ min: 0, max: 7 }), async (at, bit) => {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ (1 << bit);
        const { kind } = await problemOf(changed);
        expect(["foreign", "newer", "changed"]).toContain(kind);
      }),
      { numRuns: 150 },
    );
  });

  test("with chunks in another order, or with more behind its end, does not open", async () => {
    const bytes = await file;
    const size = CHUNK_BYTES + 16;
    const swapped = Buffer.concat([
      bytes.subarray(0, 45),
      bytes.subarray(45 + size, 45 + 2 * size),
      bytes.subarray(45, 45 + size),
      bytes.subarray(45 + 2 * size),
    ]);
    expect((await problemOf(swapped)).kind).toBe("changed");
    expect((await problemOf(Buffer.concat([bytes, Buffer.from("x")]))).kind).toBe("changed");
  });

  test("tells a wrong passphrase, a newer version and another file apart", async () => {
    const bytes = await file;
    expect((await problemOf(bytes, "another passphrase")).kind).toBe("passphrase");
    const newer = Buffer.from(bytes);
    newer[8] = 2;
    expect((await problemOf(newer)).message).toMatch(/newer hemgate .* update hemgate/);
    expect((await problemOf(Buffer.from("site:\n  name: Home\n"))).kind).toBe("foreign");
    expect((await problemOf(Buffer.alloc(0))).kind).toBe("foreign");
  });

  test("opens with the same passphrase in either form of Unicode", async () => {
    const composed = await whole(sealBackup(piecesOf(LONG, 9_000), { ...secret, passphrase: "Schlüsselwörter" }));
    expect((await opened(composed, "Schlüsselwörter".normalize("NFD"))).equals(LONG)).toBe(true);
  });
});

describe("the entries of a backup", () => {
  const MANIFEST: BackupEntry = { kind: "manifest", manifest: { software: "1.0", createdAt: "2026-06-21T12:00:00Z" } };

  test("come back as they were, in whatever pieces they are read", async () => {
    const record = fc.record({
      kind: fc.constant("record" as const),
      database: fc.constantFrom("critical" as const, "telemetry" as const),
      key: fc.string({ unit: "grapheme" }),
      value: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(record), fc.integer({ min: 1, max: 400 }), async (records, size) => {
        const entries: BackupEntry[] = [MANIFEST, ...records];
        const bytes = Buffer.concat(entries.map(encodeBackupEntry));
        expect(await listOf(decodeBackupEntries(piecesOf(bytes, size)))).toEqual(entries);
      }),
    );
  });

  test.each([
    ["nothing", []],
    ["no manifest", [encodeBackupEntry({ kind: "file", name: "a", bytes: Buffer.of(1) })]],
    ["a kind that this version does not know", [encodeBackupEntry(MANIFEST), Buffer.of(0, 0, 0, 1, 9)]],
    ["a part of an entry", [encodeBackupEntry(MANIFEST), Buffer.of(0, 0, 0, 9, 3)]],
  ])("are refused with %s", async (_name, parts) => {
    const read = listOf(decodeBackupEntries(piecesOf(Buffer.concat(parts), 10)));
    await expect(read).rejects.toThrow(BackupError);
  });
});
