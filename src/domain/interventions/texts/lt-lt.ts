import { type InterventionTexts, paragraphs } from "./text.ts";

export const LITHUANIAN: InterventionTexts = {
  relink: (brand) => ({
    title: brand === null ? "Iš naujo susiekite paskyrą" : `Iš naujo susiekite „${brand}“ paskyrą`,
    description: paragraphs(
      `Prieiga prie ${brand === null ? "šio įrenginio" : `„${brand}“ paskyros`} nebegalioja. Taip nutinka pakeitus slaptažodį arba atšaukus leidimą.`,
      "1. Atidarykite programėlę, kurioje susiejote įrenginį.\n2. Pasirinkite **Susieti iš naujo**.\n3. Prisijunkite ir patvirtinkite savo įrenginius.",
      "Jūsų įrenginiai, jų istorija ir tvarkaraščiai išlieka.",
    ),
  }),
  reconnect: (brand) => ({
    title: brand === null ? "Atkurkite ryšį su įrenginiu" : `Atkurkite ryšį su „${brand}“ įrenginiu`,
    description: paragraphs(
      `Tinklų sietuvas negauna atsakymo iš ${brand === null ? "įrenginio" : `„${brand}“ įrenginio`}.`,
      "1. Patikrinkite, ar įrenginys gauna elektrą ir nerodo klaidos.\n2. Patikrinkite tinklo kabelį arba „Wi-Fi“ ir ar įrenginys yra tame pačiame tinkle kaip ir tinklų sietuvas.\n3. Jei maršrutizatorius buvo pakeistas, vėl priskirkite įrenginiui ankstesnį adresą.\n4. Išjunkite įrenginį, palaukite minutę ir vėl jį įjunkite.",
      "Tinklų sietuvas bando toliau; nieko nereikia nustatyti iš naujo.",
    ),
  }),
  "grant-control": (brand) => ({
    title: brand === null ? "Leiskite valdyti" : `Leiskite valdyti „${brand}“ įrenginį`,
    description: paragraphs(
      `${brand === null ? "Šio įrenginio" : `Jūsų „${brand}“ įrenginio`} duomenis galima skaityti, bet jo valdyti negalima, nes susiejant toks leidimas nebuvo suteiktas.`,
      "Dar kartą susiekite įrenginį savo programėlėje ir palikite pažymėtą leidimą jį **valdyti**.",
    ),
  }),
  "confirm-control": (brand) => ({
    title: brand === null ? "Paprašykite patvirtinti valdymą" : `Paprašykite patvirtinti „${brand}“ įrenginio valdymą`,
    description: paragraphs(
      "Tinklų sietuvas moka valdyti šį modelį, tačiau dar niekas nepatvirtino, kad tai veikia būtent šiame įrenginyje. Iki tol jis tik skaito duomenis.",
      "Paprašykite montuotojo išbandyti komandą stebint įrenginį ir patvirtinti valdymą tinklų sietuvo konfigūracijoje.",
    ),
  }),
  "check-installation": (brand) => ({
    title:
      brand === null ? "Patikrinkite, kaip įrengtas įrenginys" : `Patikrinkite, kaip įrengtas jūsų ${brand} įrenginys`,
    description: paragraphs(
      brand === null
        ? "Šio įrenginio rodmenys neatitinka kitų namo įrenginių."
        : `Jūsų ${brand} įrenginio rodmenys neatitinka kitų namo įrenginių.`,
      "Galbūt kabelis ar jutiklis prijungtas atvirkščiai, sumaišytos fazės arba nustatytas netinkamas modelis. Tinklų sietuvo įrengimo patikra rodo, kas išmatuota.",
      "Paprašykite montuotojo palyginti reikšmes su įrenginiu ir patvirtinti sietuvo siūlomą pataisą.",
    ),
  }),
  "other-controller": (brand) => ({
    title:
      brand === null
        ? "Išsiaiškinkite, kas dar valdo įrenginį"
        : `Išsiaiškinkite, kas dar valdo jūsų ${brand} įrenginį`,
    description: paragraphs(
      `Tinklų sietuvas buvo nustatęs ${brand === null ? "šį įrenginį" : `jūsų ${brand} įrenginį`}, o kažkas nustatymą pakeitė: kita programėlė ar energijos valdymo sistema, paties įrenginio tvarkaraštis arba žmogus prie įrenginio. Sietuvas nusileido.`,
      "1. Jei tai buvote jūs, nieko daryti nereikia.\n2. Kitu atveju gamintojo programėlėje ir kitose energijos valdymo sistemose ieškokite tvarkaraščių bei automatinių režimų ir palikite įjungtą tik vieną.\n3. Tada duokite komandą dar kartą.",
      "Šis pranešimas dingsta, kai sietuvas vėl valdo įrenginį arba kai įrenginys grįžta į įprastą būseną.",
    ),
  }),
  "enable-modbus": (brand) => ({
    title: brand === null ? "Įjunkite „Modbus TCP“" : `Įjunkite „Modbus TCP“ „${brand}“ įrenginyje`,
    description: paragraphs(
      `Tinklų sietuvas su ${brand === null ? "įrenginiu" : `„${brand}“ įrenginiu`} bendrauja per „Modbus TCP“. Gamykloje ši funkcija dažnai būna išjungta.`,
      "1. Atidarykite įrenginio nustatymus jo ekrane arba jo paties interneto puslapyje. Gali prireikti montuotojo slaptažodžio.\n2. Įjunkite **Modbus TCP** (502 prievadas); saulės energijos įrangai pasirinkite **SunSpec**, jei siūloma.\n3. Jei valdymą reikia leisti atskirai, leiskite ir jį.",
    ),
  }),
};
