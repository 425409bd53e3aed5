import { expect, test } from "vitest";
import { QueuedCommands } from "../../../adapters/clouds/easee/queued-commands.ts";

const TICKS = 639_086_870_099_692_200;

function response(changes: Partial<{ commandId: number; ticks: number; wasAccepted: boolean }> = {}) {
  const rest = { kind: "command-response", chargerId: "EH123456", resultCode: 0 } as const;
  return { ...rest, commandId: 48, ticks: TICKS, wasAccepted: true, ...changes };
}

test("a response belongs to the command with its ticks, once", async () => {
  const commands = new QueuedCommands();
  await commands.send(async () => ({ device: "EH123456", commandId: 48, ticks: TICKS }));
  expect(commands.answered(response({ commandId: 7 }))).toBe("taken");
  expect(commands.answered(response())).toBe("somebody-elses");
});

test("without them it belongs to one of its kind", async () => {
  const commands = new QueuedCommands();
  await commands.send(async () => [{ device: "EH123456", commandId: 48, ticks: TICKS }]);
  expect(commands.answered(response({ ticks: 1, commandId: 7 }))).toBe("somebody-elses");
  expect(commands.answered(response({ ticks: 1, wasAccepted: false }))).toBe("refused");
});

test("what had not to be done has no response", async () => {
  const commands = new QueuedCommands();
  for (const body of [[], null, {}, [{ commandId: "48" }]]) await commands.send(async () => body);
  expect(commands.answered(response())).toBe("somebody-elses");
});

test("a response may come before the answer that queued its command", async () => {
  const commands = new QueuedCommands();
  const answer = Promise.withResolvers<unknown>();
  const sending = commands.send(() => answer.promise);
  expect(commands.answered(response({ wasAccepted: false }))).toBe("early");
  expect(commands.answered(response({ ticks: 1, commandId: 7 }))).toBe("early");
  answer.resolve({ commandId: 48, ticks: TICKS });
  expect(await sending).toEqual(["refused"]);
});

test("a command that failed leaves nothing behind", async () => {
  const commands = new QueuedCommands();
  await expect(commands.send(() => Promise.reject(new Error("down")))).rejects.toThrow("down");
  expect(commands.answered(response())).toBe("somebody-elses");
});
