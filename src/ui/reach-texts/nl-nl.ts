import type { ReachTexts } from "./en-us.ts";

export const REACH_DUTCH: ReachTexts = {
  "connection-refused":
    "Op dit adres is een apparaat, maar het neemt op deze poort geen verbinding aan. Controleer de poort, en zet de interface (zoals Modbus TCP) aan in de instellingen van het apparaat.",
  "no-such-host":
    "Op dit adres is geen apparaat. Controleer het adres in de lijst van apparaten in uw router, en of het apparaat aan staat.",
  "name-not-found":
    "Het netwerk kent geen apparaat met deze naam. Voer in plaats daarvan het adres in, zoals 192.168.1.40, zonder http:// ervoor.",
  "outside-house":
    "Dit adres ligt niet in uw thuisnetwerk. Voer het adres in dat het apparaat thuis heeft, zoals 192.168.1.40.",
  "no-serial-port":
    "De gateway kan deze seriële poort niet openen. Controleer de naam en of de adapter is aangesloten, en sluit andere programma’s die hem gebruiken.",
  "wrong-unit":
    "De verbinding werkt, maar er zit geen apparaat met dit unitnummer achter. Controleer het unitnummer (slave-ID) in de instellingen van het apparaat.",
  "not-answering":
    "Het apparaat antwoordt niet. Controleer het unitnummer als het er een heeft, sluit andere programma’s die het gebruiken, en start het opnieuw.",
  "rate-limited": "Te veel pogingen in korte tijd. Wacht een paar minuten.",
  unavailable: "De dienst van de fabrikant antwoordt nu niet. Probeer het over een paar minuten opnieuw.",
};
