import { type InterventionTexts, paragraphs } from "./text.ts";

export const SPANISH: InterventionTexts = {
  relink: (brand) => ({
    title: brand === null ? "Vuelva a vincular su cuenta" : `Vuelva a vincular su cuenta de ${brand}`,
    description: paragraphs(
      `El acceso a ${brand ?? "este dispositivo"} ya no es válido. Esto ocurre después de cambiar la contraseña o cuando se ha retirado el permiso.`,
      "1. Abra la aplicación en la que vinculó el dispositivo.\n2. Elija **Volver a vincular**.\n3. Inicie sesión y confirme sus dispositivos.",
      "Sus dispositivos, su historial y sus horarios se conservan.",
    ),
  }),
  reconnect: (brand) => ({
    title: brand === null ? "Vuelva a conectar el dispositivo" : `Vuelva a conectar su dispositivo ${brand}`,
    description: paragraphs(
      `La pasarela no recibe respuesta ${brand === null ? "del dispositivo" : `del dispositivo ${brand}`}.`,
      "1. Compruebe que el dispositivo tiene corriente y no muestra ningún error.\n2. Compruebe el cable de red o la wifi, y que el dispositivo esté en la misma red que la pasarela.\n3. Si se ha cambiado el router, asigne de nuevo al dispositivo su dirección anterior.\n4. Apague el dispositivo, espere un minuto y vuelva a encenderlo.",
      "La pasarela sigue intentándolo; no hay que configurar nada de nuevo.",
    ),
  }),
  "grant-control": (brand) => ({
    title: brand === null ? "Permita el control" : `Permita el control de su dispositivo ${brand}`,
    description: paragraphs(
      `${brand === null ? "Este dispositivo" : `Su dispositivo ${brand}`} se puede leer, pero no controlar, porque ese permiso no se concedió al vincularlo.`,
      "Vincule el dispositivo otra vez en su aplicación y deje marcado el permiso para **controlarlo**.",
    ),
  }),
  "confirm-control": (brand) => ({
    title:
      brand === null ? "Pida que se confirme el control" : `Pida que se confirme el control de su dispositivo ${brand}`,
    description: paragraphs(
      "La pasarela sabe cómo controlar este modelo, pero nadie ha confirmado todavía que funcione en este dispositivo en concreto. Hasta entonces solo lo lee.",
      "Pida a su instalador que pruebe la orden mientras observa el dispositivo y que confirme el control en la configuración de la pasarela.",
    ),
  }),
  "check-installation": (brand) => ({
    title:
      brand === null ? "Revise la instalación del dispositivo" : `Revise la instalación de su dispositivo ${brand}`,
    description: paragraphs(
      brand === null
        ? "Lo que indica este dispositivo no concuerda con el resto de la casa."
        : `Lo que indica su dispositivo ${brand} no concuerda con el resto de la casa.`,
      "Puede que un cable o un sensor esté invertido, que las fases estén cambiadas o que se haya elegido un modelo equivocado. La revisión de la instalación de la pasarela muestra lo que se ha medido.",
      "Pida a su instalador que compare los valores con el dispositivo y que confirme la corrección que propone la pasarela.",
    ),
  }),
  "other-controller": (brand) => ({
    title:
      brand === null
        ? "Averigüe quién más controla el dispositivo"
        : `Averigüe quién más controla su dispositivo ${brand}`,
    description: paragraphs(
      `La pasarela había ajustado ${brand === null ? "este dispositivo" : `su dispositivo ${brand}`} y alguien lo ha cambiado: otra aplicación u otro gestor de energía, un horario del propio dispositivo o una persona junto a él. La pasarela ha cedido.`,
      "1. Si ha sido usted, no hay que hacer nada.\n2. De lo contrario, busque horarios y modos automáticos en la aplicación del fabricante y en otros gestores de energía, y deje activado solo uno.\n3. Después, dé la orden de nuevo.",
      "Este aviso desaparece cuando la pasarela vuelve a controlar el dispositivo o cuando este vuelve a la normalidad.",
    ),
  }),
  "enable-modbus": (brand) => ({
    title: brand === null ? "Active Modbus TCP" : `Active Modbus TCP en su dispositivo ${brand}`,
    description: paragraphs(
      `La pasarela se comunica con ${brand === null ? "el dispositivo" : `el dispositivo ${brand}`} por Modbus TCP, que a menudo viene desactivado de fábrica.`,
      "1. Abra los ajustes del dispositivo, en su pantalla o en su propia página web. Puede hacer falta una contraseña de instalador.\n2. Active **Modbus TCP** en el puerto 502; en equipos solares elija **SunSpec** si se ofrece.\n3. Si el control se permite por separado, permítalo también.",
    ),
  }),
};
