/** Loads the parts of the page that are not in its first script, and gets over a part that cannot be loaded. */

/** What a part waits for: the gateway does not answer, or a person, because loading the page again did not help. */
export type Trouble = "away" | "broken";

/** What loading needs from the browser. */
export interface Surroundings {
  /** Survives that the page is loaded again, and ends with its tab. */
  readonly marks: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  /** Returns true if the gateway serves the page. */
  readonly isServed: () => Promise<boolean>;
  readonly reload: () => void;
  /** Resolves when it is time to ask again. */
  readonly pause: () => Promise<void>;
}

const AGAIN_MS = 3_000;

const BROWSER: Surroundings = {
  marks: {
    getItem: (name) => sessionStorage.getItem(name),
    setItem: (name, value) => sessionStorage.setItem(name, value),
    removeItem: (name) => sessionStorage.removeItem(name),
  },
  isServed: () =>
    fetch("/", { headers: { accept: "text/html" }, cache: "no-store" }).then(
      ({ ok }) => ok,
      () => false,
    ),
  reload: () => location.reload(),
  pause: () => new Promise((resolve) => setTimeout(resolve, AGAIN_MS)),
};

/**
 * Returns the part; `null` if it could not be loaded. A gateway that was updated in between has other files: then the page
 * is loaded again, once for each part, and stays at its address. The same is done when a gateway that was away is back,
 * because a browser may remember that a file was not there.
 */
export async function loadPart<Part>(
  name: string,
  load: () => Promise<Part>,
  onTrouble: (trouble: Trouble) => void,
  { marks, isServed, reload, pause }: Surroundings = BROWSER,
): Promise<Part | null> {
  const mark = `loaded again for ${name}`;
  try {
    const part = await load();
    marks.removeItem(mark);
    return part;
  } catch {
    while (!(await isServed())) {
      onTrouble("away");
      await pause();
    }
    if (marks.getItem(mark) === null) {
      marks.setItem(mark, "yes");
      reload();
    } else {
      // The next try is a person's, and may load the page again.
      marks.removeItem(mark);
      onTrouble("broken");
    }
    return null;
  }
}
