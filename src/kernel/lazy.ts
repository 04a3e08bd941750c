/** Creates a value on the first call, and then returns the same one. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Classes by the names of the members with their instances. */
type Classes<Argument> = Readonly<Record<string, new (argument: Argument) => object>>;

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
