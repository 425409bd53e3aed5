import type { LinkBody, RelinkBody } from "../../domain/linking/link.ts";
import type { ClosedLink, LinkView } from "../../domain/linking/link-view.ts";

/** What a form of the link page says. */
export interface LinkForm {
  /** The `formKey` of the view that the form was on. */
  readonly key: string;
  /** What was pressed. */
  readonly action: string;
  readonly fields: ReadonlyMap<string, readonly string[]>;
}

/** Link sessions and the steps that users take in them (rules I4.1 and S10). */
export interface Linking {
  /**
   * Begins a session for the user, who is made when there was none, and answers its token, which is nowhere else. Throws
   * `bad-request` for what nothing here links, `forbidden` when too much is linked already.
   */
  start(userId: string, body: LinkBody, appName: string | null): Promise<string>;
  /** Begins a session that restores the access to an asset. Throws `bad-request` when it is unknown or linked. */
  relink(assetId: string, body: RelinkBody, appName: string | null): Promise<string>;
  /**
   * What the session's page shows. `at` is what `answer` gave: who comes without it, after the session was completed,
   * sees that it is used.
   */
  view(token: string, at?: string): LinkView | ClosedLink;
  /** Takes a form and answers what the next `view` wants as `at`. A form of an earlier step changes nothing. */
  answer(token: string, form: LinkForm, callbackUrl: string): Promise<string>;
  /** The browser came back from a vendor's page. Null when no session waits for that. */
  returned(
    query: Readonly<Record<string, string>>,
    callbackUrl: string,
  ): Promise<{ readonly token: string; readonly at: string } | null>;
}
