import { isObjectType, type GraphQLObjectType } from "graphql";
import { expect, test } from "vitest";
import { buildGatewaySchema } from "../../src/graphql/schema.ts";

/**
 * Types without an identity of their own: they change with the record that has them, or are computed, and a client
 * caches them within it. All others are entities. A region is keyed by its code.
 */
const VALUES = [
  "AdvisedScheduleEstimate",
  "BoundedAmount",
  "BoundedCount",
  "BundlePrice",
  "CheckoutLink",
  "Claim",
  "CmsIntegration",
  "CodeSuggestion",
  "CoverExperimentArm",
  "CoverOrderItem",
  "CustomDomain",
  "CustomerData",
  "DecisionReplay",
  "DeliveryCharge",
  "DemoCycle",
  "EndedModelTraining",
  "ErrorCodeMeaning",
  "EstimatedAmount",
  "EstimatedFigure",
  "EventAuthor",
  "EventBadge",
  "ExchangeRate",
  "Exploration",
  "FailedChargesByReason",
  "FirstSale",
  "GivenUpModel",
  "InvoiceItem",
  "MessageArmTally",
  "MessageDelay",
  "MessageEffect",
  "MessageSettings",
  "MessageWording",
  "ModelDrift",
  "ModelErrorBounds",
  "ModelEvaluation",
  "ModelPooling",
  "ModelScore",
  "OpenModelTraining",
  "OptionCombination",
  "OrderFinishTimes",
  "OwnScheduleResult",
  "PaymentCustomer",
  "PaymentGatewayResponse",
  "PaymentMethodLink",
  "PlanPresentation",
  "PlannedRetry",
  "PolicyEffect",
  "PolicyInForce",
  "PolicyOverride",
  "PolicyValue",
  "PreviewedRetry",
  "ProbabilityInterval",
  "ProductSubmission",
  "QuietHours",
  "RateDifference",
  "RecoveryAnalytics",
  "RecoveryBacktest",
  "RecoveryByAttempt",
  "RecoveryByCountry",
  "RecoveryByDay",
  "RecoveryByGateway",
  "RecoveryByReason",
  "RecoveryCurvePoint",
  "RecoveryExperimentArm",
  "RecoveryExperimentTally",
  "RecoveryModelStatus",
  "RecoveryTally",
  "RecoveryTerms",
  "Region",
  "RetryBudget",
  "RetryEffect",
  "RetryFactor",
  "RetryPlan",
  "RevenueAnalytics",
  "RevenueByDay",
  "RulebookRule",
  "SampleRatio",
  "SchedulePreview",
  "ShadowReport",
  "ShadowReportAmounts",
  "SubscriptionAnalytics",
  "SubscriptionChangePreview",
  "SubscriptionCharge",
  "SubscriptionChargeLine",
  "SubscriptionPeriod",
  "SubscriptionsByDay",
  "TimeOfDay",
  "TrainingOmissions",
  "UnitChange",
  "UnmappedDecline",
  "VendorApp",
  "VendorSettings",
  "VendorTerm",
  "VendorTerms",
  "VirtualBankAccount",
  "WebhookAttempt",
  "WidgetUse",
];

const schema = buildGatewaySchema();
const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].map((type) => type!.name);

/** The wrappers of records: slices and pages of lists, and mutation payloads. */
const isEnvelope = ({ name }: GraphQLObjectType): boolean => /(?:Connection|Edge|Page|Payload)$|^PageInfo$/.test(name);

const types = Object.values(schema.getTypeMap())
  .filter(isObjectType)
  .filter((type) => !type.name.startsWith("__") && !roots.includes(type.name) && !isEnvelope(type));

test("every entity has a global id by which a cache can key it, and no value has one", () => {
  const idOf = (type: GraphQLObjectType) => String(type.getFields()["id"]?.type);
  const without = types.filter((type) => idOf(type) !== "ID!").map(({ name }) => name);
  const message =
    "give an entity a databaseId or an id (src/graphql/global-id-fields.ts), or add a value to the list above";
  expect(without.toSorted(), message).toEqual(VALUES);
});

test("no wrapper has an id: its record has one", () => {
  const envelopes = Object.values(schema.getTypeMap()).filter(isObjectType).filter(isEnvelope);
  expect(envelopes.filter((type) => "id" in type.getFields()).map(({ name }) => name)).toEqual([]);
});
