import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from "type-graphql";
import { PermissionArea, PersonState } from "../../../schema/vocabulary.ts";
import { NEWEST_FIRST, SliceArgs, toConnection } from "../../graphql/connection.ts";
import type { GatewayContext } from "../../graphql/context.ts";
import { NodeResolver } from "../../graphql/node.ts";
import { databaseIdOf } from "../../graphql/record-ids.ts";
import { DateTimeScalar } from "../../graphql/scalars.ts";
import type { PersonRecord } from "./person.repository.ts";
import { personStateOf } from "./person.state.ts";
import {
  ChangePersonRoleInput,
  ChangePersonRolePayload,
  InvitePersonInput,
  InvitePersonPayload,
  Person,
  PersonConnection,
  PersonInput,
  RemovePersonPayload,
  ResendInvitationPayload,
  ResetSecondFactorPayload,
} from "./person.type.ts";

const personIdOf = (id: string): number => databaseIdOf("Person", id, "personId");

@Resolver(() => Person)
export class PersonResolver extends NodeResolver(() => Person, "Person") {
  @Query(() => PersonConnection, {
    description:
      "Returns the people who use the console for the vendor, the newest first, without those who were removed.",
  })
  people(@Ctx() context: GatewayContext, @Args(() => SliceArgs) args: SliceArgs) {
    return toConnection(context, context.read.people.list, args, {}, NEWEST_FIRST);
  }

  @Query(() => [PermissionArea], {
    description:
      "Returns the areas whose mutations the caller may use: those of the key's scopes, or of the person's role.",
  })
  permittedAreas(@Ctx() { caller }: GatewayContext): PermissionArea[] {
    return [...new Set(caller.permissions?.areas)];
  }

  @FieldResolver(() => String)
  email(@Root() { username }: PersonRecord): string {
    return username;
  }

  @FieldResolver(() => PersonState)
  state(@Root() person: PersonRecord): PersonState {
    return personStateOf(person);
  }

  @FieldResolver(() => DateTimeScalar, { nullable: true })
  async invitationExpiresAt(@Root() person: PersonRecord, @Ctx() { loaders }: GatewayContext): Promise<Date | null> {
    return personStateOf(person) === "INVITED" ? loaders.invitationExpiryOf(person.id) : null;
  }

  @FieldResolver(() => Boolean)
  hasSecondFactor(@Root() { id }: PersonRecord, @Ctx() { loaders }: GatewayContext): Promise<boolean> {
    return loaders.hasSecondFactor(id);
  }

  @Mutation(() => InvitePersonPayload, {
    description:
      "Invites a person by a mail with a link to set a password, which can be used once within seven days. Refused with PERSON_EXISTS, with TOO_MANY_PEOPLE if the vendor has 200 people, with TOO_MANY_REQUESTS within a minute after the last invitation of the address, and with PERMISSION_DENIED for a role that may do more than the caller.",
  })
  async invitePerson(
    @Arg("input", () => InvitePersonInput, { description: "The person." }) { email, role }: InvitePersonInput,
    @Ctx() { vendor, caller, write }: GatewayContext,
  ) {
    return { person: await write(({ people }) => people.invite(vendor.id, email, role, caller)) };
  }

  @Mutation(() => ResendInvitationPayload, {
    description:
      "Sends an invitation again, with a new link in place of the old one. Refused with INVITATION_ACCEPTED, and with TOO_MANY_REQUESTS within a minute after the last invitation.",
  })
  async resendInvitation(
    @Arg("input", () => PersonInput, { description: "The person." }) { personId }: PersonInput,
    @Ctx() { vendor, caller, write }: GatewayContext,
  ) {
    const id = personIdOf(personId);
    return { person: await write(({ people }) => people.resendInvitation(vendor.id, id, caller)) };
  }

  @Mutation(() => ChangePersonRolePayload, {
    description:
      "Changes the role of a person, who may do what it permits from the next request on. Refused with LAST_OWNER if the vendor would have no owner, and with PERMISSION_DENIED for a role that may do more than the caller.",
  })
  async changePersonRole(
    @Arg("input", () => ChangePersonRoleInput, { description: "The person and the role." })
    { personId, role }: ChangePersonRoleInput,
    @Ctx() { vendor, caller, write }: GatewayContext,
  ) {
    const id = personIdOf(personId);
    return { person: await write(({ people }) => people.changeRole(vendor.id, { id }, role, caller)) };
  }

  @Mutation(() => RemovePersonPayload, {
    description:
      "Removes a person: sessions end, an open invitation is withdrawn, and the password is forgotten. Refused with LAST_OWNER if the vendor would have no owner.",
  })
  async removePerson(
    @Arg("input", () => PersonInput, { description: "The person." }) { personId }: PersonInput,
    @Ctx() { vendor, caller, write }: GatewayContext,
  ) {
    const id = personIdOf(personId);
    return { person: await write(({ people }) => people.remove(vendor.id, { id }, caller)) };
  }

  @Mutation(() => ResetSecondFactorPayload, {
    description:
      "Switches the second factor of a person off, such as after the loss of a phone. Refused with PERMISSION_DENIED if the person may do more than the caller.",
  })
  async resetSecondFactor(
    @Arg("input", () => PersonInput, { description: "The person." }) { personId }: PersonInput,
    @Ctx() { vendor, caller, write }: GatewayContext,
  ) {
    const id = personIdOf(personId);
    return { person: await write(({ people }) => people.resetSecondFactor(vendor.id, id, caller)) };
  }
}
