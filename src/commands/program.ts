import type { CommandGroup } from "./command.ts";

/** All commands. docs/command-line.md lists them. */
export const program: CommandGroup = {
  meta: { name: "recoup", description: "Operates an installation of Recoup, and helps to integrate with it." },
  subCommands: {
    start: {
      meta: { name: "start", description: "Starts a gateway, a worker or both" },
      load: async () => (await import("./start.ts")).startCommand,
    },
    demo: {
      meta: { name: "demo", description: "Starts Recoup with the demo vendor" },
      load: async () => (await import("./start.ts")).demoCommand,
    },
    vendor: {
      meta: { name: "vendor", description: "Creates vendors" },
      load: async () => ({
        meta: { name: "vendor", description: "Creates vendors." },
        subCommands: { create: (await import("./vendor-create.ts")).vendorCreateCommand },
      }),
    },
    cells: {
      meta: { name: "cells", description: "Adds, lists, migrates, drains and moves the databases that vendors are in" },
      load: async () => (await import("./cells/cells.ts")).cellsCommands,
    },
    keys: {
      meta: { name: "keys", description: "Creates, revokes and lists the Secret-Tokens of a vendor" },
      load: async () => (await import("./keys.ts")).keysCommands,
    },
    people: {
      meta: { name: "people", description: "Adds, changes, removes and lists the people who sign in to the console" },
      load: async () => (await import("./people.ts")).peopleCommands,
    },
    clock: {
      meta: { name: "clock", description: "Advances the test clock of a sandbox" },
      load: async () => (await import("./merchant/clock.ts")).clockCommands,
    },
    trigger: {
      meta: { name: "trigger", description: "Makes an event occur in a sandbox" },
      load: async () => (await import("./merchant/triggers/trigger.ts")).triggerCommand,
    },
    webhooks: {
      meta: { name: "webhooks", description: "Forwards events to a local address" },
      load: async () => (await import("./merchant/webhooks-listen.ts")).webhooksCommands,
    },
    import: {
      meta: { name: "import", description: "Imports a merchant's records from CSV and JSON lines" },
      load: async () => (await import("./import.ts")).importCommand,
    },
    export: {
      meta: { name: "export", description: "Exports a merchant's records as JSON lines" },
      load: async () => (await import("./merchant/export.ts")).exportCommand,
    },
    customer: {
      meta: { name: "customer", description: "Exports and erases the data of one customer" },
      load: async () => (await import("./merchant/customer.ts")).customerCommands,
    },
    backup: {
      meta: { name: "backup", description: "Writes the database to a file" },
      load: async () => (await import("./backup.ts")).backupCommand,
    },
    restore: {
      meta: { name: "restore", description: "Restores a backup" },
      load: async () => (await import("./restore.ts")).restoreCommand,
    },
    move: {
      meta: { name: "move", description: "Copies the database to another server" },
      load: async () => (await import("./restore.ts")).moveCommand,
    },
    charges: {
      meta: { name: "charges", description: "Reports and controls charges after a backup was restored" },
      load: async () => (await import("./charges.ts")).chargesCommands,
    },
    gateway: {
      meta: { name: "gateway", description: "Tries the live service of a payment gateway" },
      load: async () => ({
        meta: { name: "gateway", description: "Tries the live service of a payment gateway." },
        subCommands: { verify: (await import("./gateway-verify.ts")).gatewayVerifyCommand },
      }),
    },
    secrets: {
      meta: { name: "secrets", description: "Encrypts stored secrets with a new key" },
      load: async () => ({
        meta: { name: "secrets", description: "Encrypts stored secrets with a new key." },
        subCommands: { rotate: (await import("./secrets-rotate.ts")).secretsRotateCommand },
      }),
    },
    recovery: {
      meta: { name: "recovery", description: "Simulates, tests, explains and replays recovery" },
      load: async () => (await import("./recovery/recovery.ts")).recoveryCommands,
    },
    version: {
      meta: { name: "version", description: "Prints the version of Recoup" },
      load: async () => (await import("./version.ts")).versionCommand,
    },
    completion: {
      meta: { name: "completion", description: "Prints the completion script of a shell" },
      load: async () => (await import("./completion.ts")).createCompletionCommands(program),
    },
  },
};
