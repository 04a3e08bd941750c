/** Creates a value on the first call, and then returns the same one. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Classes by the names of the members with their instances. */
type Classes<Argument> = Readonly<Record<string, new (argument: Argument) => object>>;

/** All members of some parts together. */
type Merged<Part> = (Part extends unknown ? (part: Part) => void : never) extends (merged: infer Whole) => void
  ? Whole
  : never;

/** Merges the members of several parts. Throws if two parts have a member of one name: the later would replace it unseen. */
export function mergeMembers<const Parts extends readonly object[]>(...parts: Parts): Merged<Parts[number]> {
  const names = parts.flatMap((part) => Object.keys(part));
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) throw new Error(`Two parts have a member that is called ${repeated}.`);
  return Object.assign({}, ...parts) as Merged<Parts[number]>;
}

/** An instance of each class. */
export type InstancesOf<Members extends Classes<never>> = {
  readonly [Name in keyof Members]: InstanceType<Members[Name]>;
};

/**
 * Defines members that are constructed when they are first read, once for each object. The getters are defined on the
 * prototype, so that an object whose members are not read costs no more than an empty one.
 */
export function defineLazyMembers<Whole extends object, Argument>(
  prototype: Whole,
  classes: Classes<Argument>,
  argumentOf: (whole: Whole) => Argument,
): void {
  for (const [name, Class] of Object.entries(classes)) {
    const made = Symbol(name);
    Object.defineProperty(prototype, name, {
      get(this: Whole & { [made]?: object }) {
        return (this[made] ??= new Class(argumentOf(this)));
      },
    });
  }
}
