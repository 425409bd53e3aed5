/** A gateway that nobody has claimed: who holds the box becomes its owner. */
import { useEffect, useState } from "preact/hooks";
import { ask } from "../api.ts";
import type { Session } from "../context.ts";
import { EncryptionNotice } from "../parts/encryption.tsx";
import { Button, Field, Outcome, useTask } from "../parts/form.tsx";
import { Mark } from "../parts/icons.tsx";
import { useLanguage } from "../texts.ts";

export function ClaimPage({ onSession }: { readonly onSession: (session: Session) => void }) {
  const { texts, code: language } = useLanguage();
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
        history.replaceState(null, "", "#/setup");
        onSession(session);
      },
      { 403: texts.claim.wrongCode },
    );
  };
  return (
    <main class="cover">
      <p class="mark">
        <Mark />
        <span>hemgate</span>
      </p>
      <h1>{texts.claim.title}</h1>
      <p class="lead second">{texts.claim.lead}</p>
      <form class="form card" onSubmit={submit}>
        <Field
          label={texts.claim.code}
          hint={texts.claim.codeHint}
          class="code"
          value={code}
          onText={setCode}
          autoComplete="off"
          autoCapitalize="characters"
          required
          maxLength={20}
        />
        <Field label={texts.claim.name} value={name} onText={setName} autoComplete="username" required maxLength={64} />
        <Field
          label={texts.claim.password}
          hint={texts.claim.passwordHint}
          type="password"
          value={password}
          onText={setPassword}
          autoComplete="new-password"
          required
          minLength={8}
          maxLength={256}
        />
        <Button type="submit" kind="p full" task={task}>
          {texts.claim.submit}
        </Button>
        <Outcome task={task} />
      </form>
      <EncryptionNotice />
    </main>
  );
}

/** The QR code on the box leads to `#code=K7QM-2FXA`; what is behind `#` is sent to nobody. */
function codeInAddress(): string {
  const [, code = ""] = /^#code=([\w-]{1,20})(?:&|$)/u.exec(location.hash) ?? [];
  return code;
}
