import type { ReachTexts } from "./en-us.ts";

export const REACH_GERMAN: ReachTexts = {
  "connection-refused":
    "Unter dieser Adresse ist ein Gerät, aber es nimmt an diesem Port keine Verbindung an. Prüfen Sie den Port, und schalten Sie die Schnittstelle (etwa Modbus TCP) in den Einstellungen des Geräts ein.",
  "no-such-host":
    "Unter dieser Adresse ist kein Gerät. Prüfen Sie die Adresse in der Geräteliste Ihres Routers, und ob das Gerät an ist.",
  "name-not-found":
    "Das Netzwerk kennt kein Gerät mit diesem Namen. Geben Sie stattdessen seine Adresse ein, etwa 192.168.1.40, ohne http:// davor.",
  "outside-house":
    "Diese Adresse liegt nicht in Ihrem Heimnetz. Geben Sie die Adresse ein, die das Gerät zu Hause hat, etwa 192.168.1.40.",
  "no-serial-port":
    "Das Gateway kann diese serielle Schnittstelle nicht öffnen. Prüfen Sie ihren Namen und ob der Adapter steckt, und schließen Sie andere Programme, die sie verwenden.",
  "wrong-unit":
    "Die Verbindung steht, aber dahinter ist kein Gerät mit dieser Unit-Nummer. Prüfen Sie die Unit-Nummer (Slave-ID) in den Einstellungen des Geräts.",
  "not-answering":
    "Das Gerät antwortet nicht. Prüfen Sie seine Unit-Nummer, falls es eine hat, schließen Sie andere Programme, die es verwenden, und starten Sie es neu.",
  "rate-limited": "Zu viele Versuche in kurzer Zeit. Warten Sie ein paar Minuten.",
  unavailable: "Der Dienst des Herstellers antwortet gerade nicht. Versuchen Sie es in ein paar Minuten wieder.",
};
