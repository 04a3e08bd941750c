import type { MutationName, Payload, PayloadSelection } from "./answers.ts";
import type { RawData } from "./raw-data.ts";
import type { GraphQLResponse, RequestOptions, TestGateway } from "./test-gateway.ts";

/** Mutations with one input, sent for one vendor: what the helpers of catalogues and payments are made of. */
export class TestMutations {
  constructor(
    readonly gateway: TestGateway,
    readonly options?: RequestOptions,
  ) {}

  /** A mutation with one input. */
  sendMutation<N extends MutationName, S extends PayloadSelection<N>>(
    name: N,
    input: object,
    selection: S,
    headers?: Record<string, string>,
  ): Promise<GraphQLResponse<Record<N, Payload<N, S>>>> {
    return this.sendRawMutation(name, input, selection, headers);
  }

  /** A mutation whose name or selection is known only at run time. */
  sendRawMutation(
    name: string,
    input: object,
    selection: string,
    headers?: Record<string, string>,
  ): Promise<GraphQLResponse<RawData>> {
    const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
    const query = `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`;
    return this.gateway.sendRawGraphQL(query, { input }, { ...this.options, ...(headers && { headers }) });
  }

  /** The payload of a mutation that must succeed. */
  runMutation<N extends MutationName, S extends PayloadSelection<N>>(
    name: N,
    input: object,
    selection: S,
  ): Promise<Payload<N, S>> {
    return this.runRawMutation(name, input, selection);
  }

  /** The payload of a mutation whose name or selection is known only at run time, and that must succeed. */
  async runRawMutation(name: string, input: object, selection: string): Promise<RawData> {
    const { data, errors } = await this.sendRawMutation(name, input, selection);
    if (errors) throw new Error(`${name} failed: ${JSON.stringify(errors)}`);
    return data[name];
  }
}
