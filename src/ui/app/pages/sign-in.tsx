/** Where people sign in, with a password, a passkey or a code. */
import { useEffect, useState } from "preact/hooks";
import { ask } from "../api.ts";
import { codeInAddress } from "../code-in-address.ts";
import type { Session } from "../context.ts";
import { EncryptionNotice } from "../parts/encryption.tsx";
import { Button, Field, Outcome, useTask } from "../parts/form.tsx";
import { Mark } from "../parts/icons.tsx";
import { HAS_PASSKEYS, signInWithPasskey } from "../passkeys.ts";
import { useLanguage } from "../texts.ts";

interface SignInProps {
  /** True if a session ended while it was used. */
  readonly hasEnded: boolean;
  readonly onSession: (session: Session) => void;
  /** Called when the person has an invitation, or a code for a new password. */
  readonly onCode: () => void;
}

export function SignInPage({ hasEnded, onSession, onCode }: SignInProps) {
  const { texts } = useLanguage();
  const { signIn } = texts;
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const task = useTask();
  useEffect(() => {
    // A link with a code may be opened where the page is open already; the browser then changes the address only.
    const follow = (): void => {
      if (codeInAddress() !== "") onCode();
    };
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const signingIn = async (): Promise<void> =>
      onSession(await ask<Session>("POST", "/local/session", { name: name.trim(), password }));
    task.run(signingIn, { 401: signIn.wrong, 403: signIn.over });
  };
  const enter = (): void => task.run(async () => onSession(await signInWithPasskey(texts)));
  return (
    <main class="cover">
      <p class="mark">
        <Mark />
        <span>hemgate</span>
      </p>
      <h1>{signIn.title}</h1>
      <p class="lead second" role="status">
        {hasEnded ? signIn.ended : signIn.lead}
      </p>
      <form class="form card" onSubmit={submit}>
        <Field label={signIn.name} value={name} onText={setName} autoComplete="username" required maxLength={64} />
        <Field
          label={signIn.password}
          type="password"
          value={password}
          onText={setPassword}
          autoComplete="current-password"
          required
          maxLength={256}
        />
        <Button type="submit" kind="p full" task={task}>
          {signIn.submit}
        </Button>
        {HAS_PASSKEYS ? (
          <Button kind="full" task={task} onClick={enter}>
            {texts.passkeys.signIn}
          </Button>
        ) : null}
        <Outcome task={task} />
        <p class="hint">{signIn.forgotten}</p>
        <Button kind="q full" onClick={onCode}>
          {signIn.haveCode}
        </Button>
      </form>
      <EncryptionNotice />
    </main>
  );
}
