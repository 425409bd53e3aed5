/** https of the gateway: how it stands, and how phones and laptops trust it. */
import { EncryptionCard } from "../../parts/encryption.tsx";
import { useLanguage } from "../../texts.ts";

export function EncryptionPage() {
  const { pages, about } = useLanguage().texts.settings;
  return (
    <>
      <div class="lead">
        <h1>{pages.encryption}</h1>
        <p>{about.encryption}</p>
      </div>
      <section class="card" aria-label={pages.encryption}>
        <EncryptionCard />
      </section>
    </>
  );
}
