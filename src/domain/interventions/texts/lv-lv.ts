import { type InterventionTexts, paragraphs } from "./text.ts";

export const LATVIAN: InterventionTexts = {
  relink: (brand) => ({
    title: brand === null ? "Piesaistiet savu kontu vēlreiz" : `Piesaistiet savu ${brand} kontu vēlreiz`,
    description: paragraphs(
      `Piekļuve ${brand === null ? "šai ierīcei" : `${brand} kontam`} vairs nav derīga. Tā notiek pēc paroles maiņas vai tad, ja atļauja ir atsaukta.`,
      "1. Atveriet lietotni, kurā piesaistījāt ierīci.\n2. Izvēlieties **Piesaistīt vēlreiz**.\n3. Pierakstieties un apstipriniet savas ierīces.",
      "Jūsu ierīces, to vēsture un grafiki paliek nemainīgi.",
    ),
  }),
  reconnect: (brand) => ({
    title: brand === null ? "Atjaunojiet savienojumu ar ierīci" : `Atjaunojiet savienojumu ar ${brand} ierīci`,
    description: paragraphs(
      `Vārteja nesaņem atbildi no ${brand === null ? "ierīces" : `${brand} ierīces`}.`,
      "1. Pārbaudiet, vai ierīcei ir strāva un vai tā nerāda kļūdu.\n2. Pārbaudiet tīkla kabeli vai Wi-Fi un to, vai ierīce ir tajā pašā tīklā, kur vārteja.\n3. Ja maršrutētājs ir nomainīts, piešķiriet ierīcei tās iepriekšējo adresi.\n4. Izslēdziet ierīci, pagaidiet minūti un atkal to ieslēdziet.",
      "Vārteja turpina mēģināt; nekas nav jāiestata no jauna.",
    ),
  }),
  "grant-control": (brand) => ({
    title: brand === null ? "Atļaujiet vadību" : `Atļaujiet ${brand} ierīces vadību`,
    description: paragraphs(
      `${brand === null ? "Šo ierīci" : `Jūsu ${brand} ierīci`} drīkst nolasīt, bet ne vadīt, jo šī atļauja piesaistes laikā netika dota.`,
      "Piesaistiet ierīci savā lietotnē vēlreiz un atstājiet atzīmētu atļauju to **vadīt**.",
    ),
  }),
  "confirm-control": (brand) => ({
    title: brand === null ? "Lūdziet apstiprināt vadību" : `Lūdziet apstiprināt ${brand} ierīces vadību`,
    description: paragraphs(
      "Vārteja prot vadīt šo modeli, bet neviens vēl nav apstiprinājis, ka tas darbojas tieši šajā ierīcē. Līdz tam vārteja ierīci tikai nolasa.",
      "Lūdziet uzstādītājam izmēģināt komandu, vērojot ierīci, un apstiprināt vadību vārtejas konfigurācijā.",
    ),
  }),
  "check-installation": (brand) => ({
    title: brand === null ? "Pārbaudiet ierīces uzstādījumu" : `Pārbaudiet savas ${brand} ierīces uzstādījumu`,
    description: paragraphs(
      brand === null
        ? "Šīs ierīces rādījumi neatbilst pārējai mājai."
        : `Jūsu ${brand} ierīces rādījumi neatbilst pārējai mājai.`,
      "Iespējams, kabelis vai sensors ir pievienots otrādi, fāzes ir sajauktas vai iestatīts nepareizs modelis. Vārtejas uzstādījuma pārbaude parāda, kas ir izmērīts.",
      "Palūdziet uzstādītājam salīdzināt vērtības ar ierīci un apstiprināt vārtejas piedāvāto labojumu.",
    ),
  }),
  "other-controller": (brand) => ({
    title: brand === null ? "Noskaidrojiet, kas vēl vada ierīci" : `Noskaidrojiet, kas vēl vada jūsu ${brand} ierīci`,
    description: paragraphs(
      `Vārteja bija iestatījusi ${brand === null ? "šo ierīci" : `jūsu ${brand} ierīci`}, un kāds iestatījumu ir mainījis: cita lietotne vai enerģijas pārvaldības sistēma, pašas ierīces grafiks vai cilvēks pie ierīces. Vārteja ir piekāpusies.`,
      "1. Ja to darījāt jūs, nekas nav jādara.\n2. Pretējā gadījumā meklējiet grafikus un automātiskos režīmus ražotāja lietotnē un citās enerģijas pārvaldības sistēmās un atstājiet ieslēgtu tikai vienu.\n3. Pēc tam dodiet komandu vēlreiz.",
      "Šis paziņojums pazūd, kad vārteja atkal vada ierīci vai kad ierīce ir atgriezusies parastajā stāvoklī.",
    ),
  }),
  "enable-modbus": (brand) => ({
    title: brand === null ? "Ieslēdziet Modbus TCP" : `Ieslēdziet Modbus TCP ${brand} ierīcē`,
    description: paragraphs(
      `Vārteja sazinās ar ${brand === null ? "ierīci" : `${brand} ierīci`}, izmantojot Modbus TCP. Piegādes brīdī tas bieži ir izslēgts.`,
      "1. Atveriet ierīces iestatījumus tās ekrānā vai tās tīmekļa lapā. Var būt vajadzīga uzstādītāja parole.\n2. Ieslēdziet **Modbus TCP** portā 502; saules enerģijas iekārtām izvēlieties **SunSpec**, ja tas tiek piedāvāts.\n3. Ja vadība jāatļauj atsevišķi, atļaujiet arī to.",
    ),
  }),
};
