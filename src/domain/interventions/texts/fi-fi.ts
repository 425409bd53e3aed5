import { type InterventionTexts, paragraphs } from "./text.ts";

export const FINNISH: InterventionTexts = {
  relink: (brand) => ({
    title: brand === null ? "Yhdistä tilisi uudelleen" : `Yhdistä ${joined(brand, "tilisi")} uudelleen`,
    description: paragraphs(
      `${brand === null ? "Tämän laitteen" : joined(brand, "tilin")} käyttöoikeus ei ole enää voimassa. Näin käy, kun salasana on vaihdettu tai lupa on peruutettu.`,
      "1. Avaa sovellus, jossa yhdistit laitteen.\n2. Valitse **Yhdistä uudelleen**.\n3. Kirjaudu sisään ja vahvista laitteesi.",
      "Laitteesi, niiden historia ja aikataulut säilyvät ennallaan.",
    ),
  }),
  reconnect: (brand) => ({
    title: brand === null ? "Palauta laitteen yhteys" : `Palauta ${joined(brand, "laitteesi")} yhteys`,
    description: paragraphs(
      `Yhdyskäytävä ei saa vastausta ${brand === null ? "laitteelta" : joined(brand, "laitteelta")}.`,
      "1. Tarkista, että laite saa virtaa eikä näytä vikaa.\n2. Tarkista verkkokaapeli tai Wi-Fi ja se, että laite on samassa verkossa kuin yhdyskäytävä.\n3. Jos reititin on vaihdettu, anna laitteelle takaisin sen aiempi osoite.\n4. Sammuta laite, odota minuutti ja käynnistä se uudelleen.",
      "Yhdyskäytävä yrittää yhteyttä jatkuvasti. Mitään ei tarvitse määrittää uudelleen.",
    ),
  }),
  "grant-control": (brand) => ({
    title: brand === null ? "Salli ohjaus" : `Salli ${joined(brand, "laitteesi")} ohjaus`,
    description: paragraphs(
      `${brand === null ? "Tätä laitetta" : joined(brand, "laitettasi")} saa lukea mutta ei ohjata, koska ohjauslupaa ei annettu laitetta yhdistettäessä.`,
      "Yhdistä laite sovelluksessasi vielä kerran ja pidä **ohjauslupa** valittuna.",
    ),
  }),
  "confirm-control": (brand) => ({
    title: brand === null ? "Pyydä vahvistus ohjaukselle" : `Pyydä vahvistus ${joined(brand, "laitteesi")} ohjaukselle`,
    description: paragraphs(
      "Yhdyskäytävä osaa ohjata tätä mallia, mutta kukaan ei ole vielä vahvistanut, että ohjaus toimii juuri tässä laitteessa. Siihen asti yhdyskäytävä vain lukee laitetta.",
      "Pyydä asentajaa kokeilemaan komentoa laitetta seuraten ja vahvistamaan ohjaus yhdyskäytävän asetuksissa.",
    ),
  }),
  "check-installation": (brand) => ({
    title: brand === null ? "Tarkista laitteen asennus" : `Tarkista ${joined(brand, "laitteen")} asennus`,
    description: paragraphs(
      brand === null
        ? "Laitteen ilmoittamat arvot eivät sovi yhteen muun talon kanssa."
        : `${joined(brand, "laitteen")} ilmoittamat arvot eivät sovi yhteen muun talon kanssa.`,
      "Kaapeli tai anturi voi olla väärin päin, vaiheet voivat olla vaihtuneet tai asetettu malli voi olla väärä. Yhdyskäytävän asennustarkistus näyttää, mitä mitattiin.",
      "Pyydä asentajaasi vertaamaan arvoja laitteeseen ja vahvistamaan korjaus, jota yhdyskäytävä ehdottaa.",
    ),
  }),
  "other-controller": (brand) => ({
    title:
      brand === null ? "Selvitä, kuka muu ohjaa laitetta" : `Selvitä, kuka muu ohjaa ${joined(brand, "laitettasi")}`,
    description: paragraphs(
      `Yhdyskäytävä oli säätänyt ${brand === null ? "tätä laitetta" : joined(brand, "laitettasi")}, ja joku muu on muuttanut asetusta: toinen sovellus tai energianhallinta, laitteen oma aikataulu tai henkilö laitteen luona. Yhdyskäytävä antoi periksi.`,
      "1. Jos se olit sinä, mitään ei tarvitse tehdä.\n2. Etsi muussa tapauksessa aikatauluja ja automaattitiloja valmistajan sovelluksesta ja muista energianhallinnoista, ja jätä niistä vain yksi päälle.\n3. Anna sitten komento uudelleen.",
      "Ilmoitus poistuu, kun yhdyskäytävä ohjaa laitetta taas tai kun laite on palannut normaalitilaan.",
    ),
  }),
  "enable-modbus": (brand) => ({
    title: brand === null ? "Ota Modbus TCP käyttöön" : `Ota Modbus TCP käyttöön ${joined(brand, "laitteessasi")}`,
    description: paragraphs(
      `Yhdyskäytävä viestii ${brand === null ? "laitteen" : joined(brand, "laitteen")} kanssa Modbus TCP:llä. Se ei useinkaan ole käytössä toimitettaessa.`,
      "1. Avaa laitteen asetukset sen näytöltä tai sen omalta verkkosivulta. Asentajan salasana voi olla tarpeen.\n2. Ota **Modbus TCP** käyttöön portissa 502. Valitse aurinkosähkölaitteissa **SunSpec**, jos se on tarjolla.\n3. Jos ohjaus on sallittava erikseen, salli myös se.",
    ),
  }),
};

/** A compound word. After a name of several words, Finnish leaves a space before the hyphen. */
function joined(brand: string, word: string): string {
  return brand.includes(" ") ? `${brand} -${word}` : `${brand}-${word}`;
}
