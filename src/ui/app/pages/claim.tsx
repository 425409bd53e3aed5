/** A code is exchanged for an account: the setup code of a gateway that nobody owns, an invitation, or one for a new password. */
import { useEffect, useState } from "preact/hooks";
import { ask } from "../api.ts";
import { codeInAddress } from "../code-in-address.ts";
import type { Session } from "../context.ts";
import { EncryptionNotice } from "../parts/encryption.tsx";
import { Button, Field, Outcome, useTask } from "../parts/form.tsx";
import { Mark } from "../parts/icons.tsx";
import { useLanguage } from "../texts.ts";

interface ClaimProps {
  /** True if the gateway has an owner, who has invited. */
  readonly isInvited?: boolean;
  readonly onSession: (session: Session) => void;
}

export function ClaimPage({ isInvited = false, onSession }: ClaimProps) {
  const { texts, code: language } = useLanguage();
  const { claim } = texts;
  const [code, setCode] = useState(codeInAddress);
  useEffect(() => {
    // The link may be opened where the page is open already; the browser then changes the address only.
    const follow = (): void => setCode((typed) => codeInAddress() || typed);
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const task = useTask();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    task.run(
      async () => {
        const session = await ask<Session>("POST", "/local/claim", {
          code: code.trim(),
          name: name.trim(),
          password,
          language,
        });
        history.replaceState(null, "", isInvited ? "#/" : "#/setup");
        onSession(session);
      },
      { 403: claim.wrongCode },
    );
  };
  return (
    <main class="cover">
      <p class="mark">
        <Mark />
        <span>hemgate</span>
      </p>
      <h1>{isInvited ? claim.invited : claim.title}</h1>
      <p class="lead second">{isInvited ? claim.invitedLead : claim.lead}</p>
      <form class="form card" onSubmit={submit}>
        <Field
          label={isInvited ? claim.invitedCode : claim.code}
          hint={isInvited ? claim.invitedHint : claim.codeHint}
          class="code"
          value={code}
          onText={setCode}
          autoComplete="off"
          autoCapitalize="characters"
          required
          maxLength={20}
        />
        <Field label={claim.name} value={name} onText={setName} autoComplete="username" required maxLength={64} />
        <Field
          label={claim.password}
          hint={claim.passwordHint}
          type="password"
          value={password}
          onText={setPassword}
          autoComplete="new-password"
          required
          minLength={8}
          maxLength={256}
        />
        <Button type="submit" kind="p full" task={task}>
          {isInvited ? claim.enter : claim.submit}
        </Button>
        <Outcome task={task} />
      </form>
      <EncryptionNotice />
    </main>
  );
}
