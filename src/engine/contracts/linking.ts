import type { LinkBody, RelinkBody } from "../../domain/linking/link.ts";
import type { ClosedLink, LinkView } from "../../domain/linking/link-view.ts";

/** A form of the link page, as the browser sent it. */
export interface LinkForm {
  /** The `formKey` of the view that the form was on. */
  readonly key: string;
  /** The button that was pressed. */
  readonly action: string;
  readonly fields: ReadonlyMap<string, readonly string[]>;
}

/** Link sessions and the steps that users take in them (rules I4.1 and S10). */
export interface Linking {
  /**
   * Starts a session for the user, creates the user if unknown, and returns the session's token, which is not stored.
   * Throws `bad-request` if no adapter links the vendor, and `forbidden` if too many devices are linked already.
   */
  start(userId: string, body: LinkBody, appName: string | null, isOwnPage?: boolean): Promise<string>;
  /**
   * Starts a session that restores the access to an asset, and returns its token. Throws `bad-request` if the asset is
   * unknown or still linked.
   */
  relink(assetId: string, body: RelinkBody, appName: string | null, isOwnPage?: boolean): Promise<string>;
  /**
   * Returns what the session's page shows. `at` is the value that `answer` returned; without it, the page of a completed
   * session says only that the session is used.
   */
  view(token: string, at?: string): LinkView | ClosedLink;
  /** Handles a form and returns the `at` for the next `view`. A form of an earlier step changes nothing. */
  answer(token: string, form: LinkForm, callbackUrl: string): Promise<string>;
  /** Handles the redirect from a vendor's page. Returns the session it belongs to; `null` if no session matches. */
  returned(
    query: Readonly<Record<string, string>>,
    callbackUrl: string,
  ): Promise<{ readonly token: string; readonly at: string } | null>;
}
