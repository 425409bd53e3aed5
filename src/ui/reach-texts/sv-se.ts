import type { ReachTexts } from "./en-us.ts";

export const REACH_SWEDISH: ReachTexts = {
  "connection-refused":
    "Det finns en enhet på adressen, men den tar inte emot någon anslutning på porten. Kontrollera porten, och slå på gränssnittet (till exempel Modbus TCP) i enhetens inställningar.",
  "no-such-host":
    "Det finns ingen enhet på adressen. Kontrollera adressen i routerns lista över enheter, och att enheten är på.",
  "name-not-found":
    "Nätet känner ingen enhet med det namnet. Skriv in adressen i stället, till exempel 192.168.1.40, utan http:// före.",
  "outside-house":
    "Adressen ligger inte i ditt hemnät. Skriv in adressen som enheten har hemma, till exempel 192.168.1.40.",
  "no-serial-port":
    "Gatewayen kan inte öppna serieporten. Kontrollera namnet och att adaptern är inkopplad, och stäng andra program som använder den.",
  "wrong-unit":
    "Anslutningen fungerar, men bakom den finns ingen enhet med det här enhetsnumret. Kontrollera enhetsnumret (slav-ID) i enhetens inställningar.",
  "not-answering":
    "Enheten svarar inte. Kontrollera dess enhetsnummer om den har ett, stäng andra program som använder den och starta om den.",
  "rate-limited": "För många försök på kort tid. Vänta några minuter.",
  unavailable: "Tillverkarens tjänst svarar inte just nu. Försök igen om några minuter.",
};
