import { registerEnumType } from "type-graphql";
import { RegionCode } from "../../schema/regions.ts";
import { CustomerStatus, PaymentMethod } from "../../schema/vocabulary.ts";

registerEnumType(CustomerStatus, { name: "CustomerStatus", description: "x." });
registerEnumType(PaymentMethod, { name: "PaymentMethod", description: "x." });
registerEnumType(RegionCode, { name: "RegionCode", description: "x." });
