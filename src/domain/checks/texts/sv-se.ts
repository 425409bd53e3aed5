import type { MeasuredTexts } from "./en-us.ts";

export const MEASURED_SWEDISH: MeasuredTexts = {
  apparent: "Fasernas effekter blir tillsammans {power}, men spänning gånger ström är {apparent}.",
  balance:
    "Hushållets förbrukning, beräknad ur alla enheter, ändrades totalt med {before}; {why} ändras den med {after}.",
  asBattery: "om enheten läses som ett batteri",
  otherDirection: "om effekten räknas åt andra hållet",
  multiplied: "om effekten multipliceras med {factor}",
  clampsMoved: "om dess strömtänger sitter på andra faser än dess spänningar, nämligen {misplaced},",
  clampsExchanged: "de på {one} och {other} förväxlade",
  clampsRotated: "var och en av de tre på en annan fas",
  linesTurned: "om {lines} räknas åt andra hållet",
  unmetered: "om den är ansluten där nätmätaren inte mäter den",
  asPanels: "om mätaren läses som solpanelernas mätare",
  counter: "{counter} ökade med {gain} medan effekten blev {spent} tillsammans.",
  counterTurned: "{counter} ökade med {gain} medan effekten blev {spent} tillsammans åt andra hållet.",
  frozen: "{power} och alla andra värden har inte ändrats på {time}, {why}.",
  othersMoved: "medan de andra enheterna ändrades med {power}",
  counterStill: "fast {counter} borde ha ökat med {energy}",
  chargeStill: "fast {energy} borde synas i laddningsnivån",
  voltages: "Dess spänningar skiljer sig från mätarens med {before} i medeltal; i ordningen {order} med {after}.",
  phases:
    "Laddboxens effekt syns på andra faser av mätaren: {before} är oförklarade, men bara {after} i ordningen {order}.",
  negative:
    "Beräknat ur nät, solpaneler, batteri och laddboxar förbrukar hushållet {power}; det kan inte vara negativt.",
  role: "Dess effekt ändrades med {moved} när laddningen ändrade husets effekt med {left}, som en nätmätare gör och solpaneler aldrig.",
  duplicate: "Båda rapporterar samma effekt, som ändrades med {moved}, med en korrelation på {correlation}.",
  darkMeter: "{point} visar {power} i mörkret: det kan vara nätmätaren, som huset saknar.",
  meterOrSign:
    "{point} visar {power}: det kan vara nätmätaren, som huset saknar, eller en växelriktare med fel tecken.",
  batteryDark: "{point} visar {power}, i mörkret, som ett batteri.",
  batteryBoth: "{point} visar {power}, och över 0 andra tider, som ett batteri.",
  belowZero: "{point} visar {power}; det kan inte vara under 0.",
  range: "{point} visar {value}; i ett hus är det mellan {min} och {max}.",
  charge: "Laddningsnivån ändrades med {change} medan effekten var {power}, som är positiv vid laddning.",
  failsafe:
    "Gatewayen satte {point} till {setpoint}, och det är {found}, enhetens reservvärde, innan gatewayens tid var ute: en annan styrning kan ha satt den tiden.",
  reset:
    "Gatewayen satte {point} till {setpoint}, och det är {found}, det säkra värdet: en annan styrning eller en människa återställde det, eller så startade enheten om.",
  changed:
    "Gatewayen satte {point} till {setpoint}, och det är {found}: en annan styrning eller en människa vid enheten ändrade det.",
  otherDevice:
    "På {place} svarar en annan enhet, med serienummer {found}; väntad är {expected}. Den varken läses eller styrs; den väntade enheten söks på andra adresser.",
  loadTurned: "En last på {load} slogs på, och {lines} sjönk med {fell}: riktningen är omvänd.",
  loadTurnedMeter: "En last på {load} slogs på, och mätaren sjönk med {fell}: riktningen är omvänd.",
  loadOtherPhase:
    "En last på {load} slogs på på {line}, och på mätaren steg {lines}: strömtängerna sitter på andra faser än de heter.",
  loadMisplaced:
    "En last på {load} slogs på, och på {lines} steg strömmen mer än effekten: en strömtång sitter på en annan fas än spänningen som den räknas ihop med.",
  noImportLimit:
    "Nätanslutningen har ingen uttagsgräns: inget skyddar dess säkring. Ange site.connection.fuseA, eller PATCH /local/site.",
  noGridMeter:
    "Nätanslutningen har gränser, men huset har ingen nätmätare: inget håller dem. Lägg till mätaren vid anslutningen, eller ställ in vilken som sitter där.",
  forecastHigh:
    "De senaste två veckorna gav panelerna {measured}, prognosen var {forecast}. Prognosen räknas gånger {factor}. Kontrollera under Inställningar, Solprognos, om panelernas toppeffekt, lutning och riktning stämmer. Om de gör det, leta efter skugga, och om en del av panelerna är av. Om en gräns ofta håller tillbaka panelerna, avfärda det här fyndet.",
  forecastLow:
    "De senaste två veckorna gav panelerna {measured}, prognosen var {forecast}. Prognosen räknas gånger {factor}. Kontrollera under Inställningar, Solprognos, om alla paneler är angivna och om deras toppeffekt, lutning och riktning stämmer. Om de gör det, kontrollera om en mätare räknar panelerna dubbelt.",
  siteImport: "{import} är mer än huvudsäkringen på {fuse} bär ({limit}); säkringen begränsar",
  sitePeak: "{peak} är mer än de avtalade {import}",
  siteFuse: "Säkringen på {fuse} är högre än {limit} för {above}, som begränsar; kontrollera båda",
  siteCircuitKw: "{power} är högre än {limit} för {above}, som begränsar; kontrollera båda",
  siteNoLimit: "{circuit} har varken säkring eller högsta effekt och begränsar därför ingenting",
  sitePanels:
    "{meter} mäter solpaneler och räknas inte bredvid växelriktaren {inverters}, annars räknades produktionen två gånger. Välj ”det som redan räknas” om den mäter paneler till den växelriktaren, eller ”andra solpaneler än den anslutna växelriktarens” om den mäter andra",
  siteNoMeter: "{device} ska mäta {place} och har ingen mätare; välj en enhet som har en",
  siteConnection: "anslutningen",
  storage: "Sparade data var skadade (detaljer på engelska): {details}",
  backupFailed:
    "Den schemalagda säkerhetskopian {time} gjordes inte: {failure}. {newest} När orsaken är borta gör ”Säkerhetskopiera nu” under Inställningar, Säkerhetskopior en direkt.",
  backupNotUploaded:
    "Den schemalagda säkerhetskopian {time} ligger i sin mapp, men laddades inte upp: {failure}. När orsaken är borta gör ”Säkerhetskopiera nu” under Inställningar, Säkerhetskopior genast en och laddar upp den.",
  backupStale:
    "Två schemalagda säkerhetskopior skulle ha gjorts till {time}, och ingen gjordes. {newest} Gatewayen måste vara igång vid schemats tid. När orsaken är borta gör ”Säkerhetskopiera nu” under Inställningar, Säkerhetskopior en direkt.",
  proofReads: "visar {value}",
  proofAnswers: "svarar",
  proofSends: "sänder vad den mäter",
  proofAnnounced: "presenterar sig som {name}",
  proofSilent: "presenterar sig som {name}, men svarar inte på Modbus",
  proofModbus: "talar Modbus på port {port}, enhet {unit}",
  backupNewest: "Den senaste som gjordes är från {time}.",
  backupNone: "Det finns ingen före den.",
  "backup-passphrase": "filen går inte att öppna med den inställda lösenfrasen",
  "backup-damaged": "filen är avkortad eller har ändrats",
  "backup-full": "det finns inget utrymme kvar, här eller på servern",
  "backup-no-access": "gatewayen får inte skriva i mappen",
  "backup-not-found": "mappen eller filen finns inte",
  "backup-no-such-host": "det finns ingen server med det namnet",
  "backup-unreachable": "servern går inte att nå",
  "backup-untrusted": "serverns certifikat är inte giltigt",
  "backup-timeout": "den blev inte klar i tid",
  "backup-unauthorized": "servern godtar inte användaren eller lösenordet",
  "backup-address-refused": "säkerhetskopior skickas inte till den här adressen",
  "backup-broken": "anslutningen bröts, eller så svarar något annat där",
  "backup-rejected": "servern tog inte emot filen",
  "backup-stopped": "gatewayen stoppades under tiden",
};
