import { describe, expect, test } from "vitest";
import { loadPart, type Surroundings, type Trouble } from "../../src/ui/app/load-part.ts";

/** A tab of a browser in front of a gateway that serves its page as `served` says, then for ever. */
function openTab(...served: readonly boolean[]) {
  const left = [...served];
  const marks = new Map<string, string>();
  const tab = { reloads: 0, pauses: 0, troubles: [] as Trouble[] };
  const surroundings: Surroundings = {
    marks: {
      getItem: (name) => marks.get(name) ?? null,
      setItem: (name, value) => void marks.set(name, value),
      removeItem: (name) => void marks.delete(name),
    },
    isServed: async () => left.shift() ?? true,
    reload: () => {
      tab.reloads += 1;
    },
    pause: async () => {
      tab.pauses += 1;
    },
  };
  const visit = (name: string, isThere: boolean): Promise<string | null> => {
    const load = async (): Promise<string> => {
      if (!isThere) throw new TypeError("Failed to fetch dynamically imported module");
      return `the part ${name}`;
    };
    return loadPart(name, load, (trouble) => tab.troubles.push(trouble), surroundings);
  };
  return { tab, visit };
}

describe("A part of the page that is loaded when it is visited", () => {
  test("A part that is there is shown without more", async () => {
    const { tab, visit } = openTab();
    expect(await visit("history", true)).toBe("the part history");
    expect(tab).toEqual({ reloads: 0, pauses: 0, troubles: [] });
  });

  test("A part whose file is gone because the gateway was updated loads the page again", async () => {
    const { tab, visit } = openTab();
    expect(await visit("history", false)).toBeNull();
    expect(tab).toEqual({ reloads: 1, pauses: 0, troubles: [] });
  });

  test("A part that is missing after the page was loaded again is said, and not tried in circles", async () => {
    const { tab, visit } = openTab();
    await visit("history", false);
    // The page that was loaded again loads its language first, which is there.
    await visit("Deutsch", true);
    await visit("history", false);
    expect(tab).toEqual({ reloads: 1, pauses: 0, troubles: ["broken"] });
  });

  test("After a person asked for it once more, or the part was there, the page may be loaded again", async () => {
    const { tab, visit } = openTab();
    await visit("history", false);
    await visit("history", false);
    await visit("history", false);
    expect(tab.reloads).toBe(2);
    await visit("history", true);
    await visit("history", false);
    expect(tab.reloads).toBe(3);
  });

  test("A gateway that is away is waited for, and the page is loaded again when it is back", async () => {
    const { tab, visit } = openTab(false, false, true);
    expect(await visit("settings", false)).toBeNull();
    expect(tab).toEqual({ reloads: 1, pauses: 2, troubles: ["away", "away"] });
  });
});
