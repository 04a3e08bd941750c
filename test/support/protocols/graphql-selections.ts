/*
 * The GraphQL selections that are compared with REST, written by hand and not taken from the documents of rest-compat:
 * field by field under the name that REST has, with `databaseId` for `id`.
 */

const planPresentation = "plan { name description detailDescription isHiddenFromShop adminName }";
const recurring = "databaseId intervalCount aggregateUsageType interval usageType";
const shipping = "shipping { name phone postcode address1 address2 state city countryCode }";

export const coverCustomerFields = "databaseId name email phone partnerCustomerId";
export const coverProductFields = "databaseId name partnerProductId featuredImageUrl";
export const coverPriceFields = `databaseId name partnerPriceId product { ${coverProductFields} } price isRecurring recurringInterval recurringIntervalCount`;
export const coverOrderFields = `databaseId customer { ${coverCustomerFields} } amount amountReturned items { quantity price { ${coverPriceFields} } }
  status partnerOrderId canceledDate: canceledAt paymentDate idKey retryDate`;
export const coverSubscriptionFields = `databaseId customer { ${coverCustomerFields} } trialStart trialEnd start currentPeriodStart currentPeriodEnd
  canceledAt cancelAtPeriodEnd status initialOrder { ${coverOrderFields} } renewalOrders { ${coverOrderFields} } partnerSubscriptionId
  recurringIntervalCount recurringInterval`;

/** A price plan, without the members of a bundle. */
export const pricePlanFields = `databaseId code price currencyPrice unit planName planDescription type enabledFirstSalePrice firstSalePrice
  claimMethodType whenToClaimType billingDate maximumPurchaseQuantity membershipExpirationDate membershipExpirationDateType
  setupOption { databaseId name type price currencyPrice claimMethodType }
  options { databaseId price name productCode type priceCode priceName productType recurringDTO: recurring { ${recurring} } }
  volumes { databaseId min max price } additionalBilling { databaseId type ranges { databaseId until price } }
  recurring { ${recurring} } basicServing onetimeBundlePrice order createdAt modifiedAt ${planPresentation}
  firstSale { enabled price currencyPrice } claim { methodType whenToClaimType billingDate provideStartDay }`;

const productFacts = `databaseId code type status name subTitle description summary featuredImageUrl imageUrls reasonOfReject sku
  quantity optionGroups { databaseId name options { databaseId name price quantity parent } depth } useCombination
  createdAt modifiedAt enabledDemo demoPeriod demoPeriodUnit vendorUuid productOrder isOnetimePurchasable
  eventBadge { event startDateTime endDateTime } notice useWidget { useDemo useEventBadge useOnetimePurchasable useNotice }
  groupId countrySetting { databaseId countryCode timezoneName currencyCode isDefault taxRate }`;

export const productFields = `${productFacts} prices { ${pricePlanFields} } combinedProducts { code name prices { databaseId code price } }
  categories { categoryId: databaseId name } availableRegions { code currency country countryCode state language }`;

const subscriptionItems = `items { databaseId code productName productType productCode priceCode isOnetimePurchasable featuredImageUrl
  selectedProductOptionIds selectedProductOptionPrice selectedOptions: selectedProductOptionIds selectedProductOptionLabel
  ${planPresentation} price currency quantity isAdditional keepWhenRenew hasOptions type claimMethodType priceType
  maximumPurchaseQuantity parentSubscriptionItemCode }`;

const subscription = `databaseId status ${subscriptionItems} price { databaseId code price planName } interval intervalCount startDate
  lastPaymentDate nextPaymentDate endDate trialEndDate`;

const orderItem = `databaseId code orderItemCode: code paidAmount currency quantity minimumQuantity maximumQuantity status type
  price { databaseId code price planName type recurring { ${recurring} } } product { databaseId code name type status quantity }
  featuredImageUrl selectedProductOptionLabel selectedProductOptionIds createdAt modifiedAt canceledDateTime: canceledAt orderedProductType
  orderedProductName orderedPlanName discountName relatedOrderItemId relatedSubscriptionItemId priceSetupType demoCycle { num type }
  usedCount usageFormula deliveryCode histories: claimHistories { actor category status createdAt reason } parentOrderItemCode
  unitChangeHistory { changedCount days } unitCount: unitsAtPeriodEnd`;

export const orderRowFields = `databaseId code customerName type productName items { ${orderItem} } price: amount paymentDate paymentMethod
  purchaseDeadline createdAt modifiedAt claimMethodType paidAmount returnedAmount leftAmount exchangeRate
  region { code currency country countryCode state language } currency baseCurrency`;

const payment = `payment { amount discount paymentMethod paymentDate paymentGateway
  paymentReturn: gatewayResponse { reference state network adviceCode } paymentReceiptUrl cardNumber
  vbankDTO: vbank { bankCode bankName accountNumber accountName bankDate } customerDTO: customer { name email phone }
  errorCode errorMessage }`;

/** An order as POST /orders answers it. */
export const createdOrderFields = `orderId: databaseId orderCode: code code type paidAmount returnedAmount leftAmount discountedAmount productName
  orderLogs { databaseId type content createdAt } subscriptions { ${subscription} }
  relatedOrders { databaseId code orderType: type productName paidAmount createdAt currency } currency exchangeRate baseCurrency
  items { ${orderItem} }
  customer { databaseId uuid status username name email phone ${shipping} code marketingSms marketingEmail marketingMessenger
    attributes createdAt }
  paymentDate paymentDueDate purchaseDeadline ${shipping} createdAt modifiedAt ${payment} idKey parentSubscription { ${subscription} }
  calculateStartDate calculateEndDate paymentMethod currencyPrice childOrders { code }`;

/** An order as GET /orders/{idOrCode} answers it. */
export const orderFields = `databaseId customerName price: amount claimMethodType ${createdOrderFields}
  region { code currency country countryCode state language }`;

const storedMethods = "paymentMethods { databaseId paymentInfo }";

export const customerRowFields = `databaseId code status username name email phone orderCount activeSubscriptionCount ${storedMethods}
  marketingSms marketingEmail marketingMessenger createdAt dormantAt customFields: customFieldTexts countryCode`;

export const customerFields = `databaseId status username name email phone code orderCount totalPurchasedPrice ${shipping}
  orders: latestOrders { databaseId type productName amount claimMethodType createdAt currency }
  subscriptions: latestSubscriptions { databaseId code ${subscriptionItems} status recurring: period { interval intervalCount } currency
    nextPaymentDateTime: nextPaymentDate paymentMethod { databaseId paymentInfo } endDate lastPaymentDateTime: lastPaymentDate }
  ${storedMethods} marketingSms marketingEmail marketingMessenger attributes createdAt additionalRecipients
  region { name: code currencies country countryCode language state }`;

export const childVendorFields =
  "name uuid surveyed managerUsername createdAt enabled realmIdentityProviderId realmName managerPhone";

/** A child vendor as its creation answers it. */
export const createdChildFields = `databaseId uuid firstManagerUuid parentUuid manager { uuid username nickname enabled emailVerified createdAt phone choo }
  name description secretKey paymentKey deliveryCharge { useDefaultCourier useDeliveryCharge deliveryChargeType defaultDeliveryCharge }
  vendorSettings { vatIncluded vatRate notiBeforePayment notiBeforePaymentDays usageAutoRefund paymentAmountScale
    notiBeforePaymentTime { hour minute second nano } workspace customDomain { status domain } }
  checkFirstActivation surveyed useDormantCustomer useDormantNotification useAuth useStore usePayout currencyLock realmEmailAsUsername
  apps { productCode priceCode status installed } zoneId currency realmIdentityProviderId realmName featuredImageUrl email contactUrl
  checkFailBuilder cmsIntegration { consumerKey consumerSecret } vendorTerms { useCheckBox termsAgree { field title order content } }`;
