import { type InterventionTexts, paragraphs } from "./text.ts";

export const ENGLISH: InterventionTexts = {
  relink: (brand) => ({
    title: brand === null ? "Link your account again" : `Link your ${brand} account again`,
    description: paragraphs(
      `The access to ${brand ?? "this device"} is no longer valid. This happens after a change of password, or when the permission was taken back.`,
      "1. Open the app in which you linked the device.\n2. Choose **Link again**.\n3. Sign in and confirm your devices.",
      "Your devices, their history and their schedules stay as they are.",
    ),
  }),
  reconnect: (brand) => ({
    title: brand === null ? "Bring the device back online" : `Bring your ${brand} device back online`,
    description: paragraphs(
      `The gateway gets no answer from ${brand === null ? "the device" : `the ${brand} device`}.`,
      "1. Check that the device has power and shows no error.\n2. Check its network cable or Wi-Fi, and that it is in the same network as the gateway.\n3. If your router was replaced, give the device its former address again.\n4. Switch the device off, wait for a minute, and switch it on.",
      "The gateway keeps trying; nothing has to be set up again.",
    ),
  }),
  "grant-control": (brand) => ({
    title: brand === null ? "Allow control" : `Allow control of your ${brand} device`,
    description: paragraphs(
      `${brand === null ? "This device" : `Your ${brand} device`} may be read, but not controlled, because that permission was not given when it was linked.`,
      "Link the device once more in your app and leave the permission to **control** it checked.",
    ),
  }),
  "confirm-control": (brand) => ({
    title: brand === null ? "Have control confirmed" : `Have control of your ${brand} device confirmed`,
    description: paragraphs(
      "The gateway knows how to control this model, but nobody has confirmed yet that it works on this device. Until then it only reads the device.",
      "Ask your installer to try the command while watching the device, and to confirm the control in the gateway's configuration.",
    ),
  }),
  "check-installation": (brand) => ({
    title: brand === null ? "Check how the device is installed" : `Check how your ${brand} device is installed`,
    description: paragraphs(
      brand === null
        ? "The values of this device do not fit the rest of the house."
        : `The values of your ${brand} device do not fit the rest of the house.`,
      "A cable or sensor may be reversed, phases may be mixed up, or the wrong model may be set. The gateway's installation checks show what was measured.",
      "Ask your installer to compare the values with the device, and to confirm the correction that the gateway proposes.",
    ),
  }),
  "other-controller": (brand) => ({
    title:
      brand === null ? "Find out what else controls the device" : `Find out what else controls your ${brand} device`,
    description: paragraphs(
      `The gateway controlled ${brand === null ? "this device" : `your ${brand} device`}, and then its setting was changed by something else: another app or energy manager, a schedule in the device itself, or a person at the device. The gateway has stopped controlling it.`,
      "1. If you changed it yourself, there is nothing to do.\n2. Otherwise look for schedules and automatic modes in the manufacturer's app and in other energy managers, and leave only one of them on.\n3. Then send your command again.",
      "This notice disappears when the gateway controls the device again, or when the device is back to normal.",
    ),
  }),
  "enable-modbus": (brand) => ({
    title: brand === null ? "Switch on Modbus TCP" : `Switch on Modbus TCP on your ${brand} device`,
    description: paragraphs(
      `The gateway connects to ${brand === null ? "the device" : `the ${brand} device`} over Modbus TCP. It is often switched off at delivery.`,
      "1. Open the settings of the device, on its display or its web page. An installer's password may be needed.\n2. Switch on **Modbus TCP** on port 502; for solar equipment choose **SunSpec** if it is offered.\n3. If there is a separate setting that allows control, switch it on too.",
    ),
  }),
};
