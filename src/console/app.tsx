import { lazy, Suspense } from "react";
import { Route, Switch } from "wouter";
import { LoadingLines } from "./parts/notices.tsx";
import { NotFoundPage } from "./parts/not-found-page.tsx";
import { SignedIn } from "./session/signed-in.tsx";
import { Shell } from "./shell/shell.tsx";

// Each page is a file of its own: the first load has what the first page needs.
const PasswordPage = lazy(() => import("./session/password-page.tsx"));
const HomePage = lazy(() => import("./home/home-page.tsx"));
const RecoveryPage = lazy(() => import("./recovery/recovery-page.tsx"));
const UnmappedPage = lazy(() => import("./recovery/unmapped/unmapped-page.tsx"));
const PoliciesPage = lazy(() => import("./recovery/policies/policies-page.tsx"));
const PolicyEditorPage = lazy(() => import("./recovery/policies/policy-editor-page.tsx"));
const PolicyPage = lazy(() => import("./recovery/policies/policy-page.tsx"));
const ExperimentsPage = lazy(() => import("./recovery/experiments/experiments-page.tsx"));
const ExperimentPage = lazy(() => import("./recovery/experiments/experiment-page.tsx"));
const ModelPage = lazy(() => import("./recovery/model/model-page.tsx"));
const CoverPage = lazy(() => import("./recovery/cover-page.tsx"));
const OrdersPage = lazy(() => import("./orders/orders-page.tsx"));
const OrderPage = lazy(() => import("./orders/order-page.tsx"));
const CustomersPage = lazy(() => import("./customers/customers-page.tsx"));
const CustomerPage = lazy(() => import("./customers/customer-page.tsx"));
const SubscriptionsPage = lazy(() => import("./subscriptions/subscriptions-page.tsx"));
const SubscriptionPage = lazy(() => import("./subscriptions/subscription-page.tsx"));
const ProductsPage = lazy(() => import("./products/products-page.tsx"));
const ProductPage = lazy(() => import("./products/product-page.tsx"));
const InvoicesPage = lazy(() => import("./invoices/invoices-page.tsx"));
const InvoicePage = lazy(() => import("./invoices/invoice-page.tsx"));
const PaymentsPage = lazy(() => import("./payments/payments-page.tsx"));
const PaymentPage = lazy(() => import("./payments/payment-page.tsx"));
const DevelopersPage = lazy(() => import("./developers/developers-page.tsx"));
const DeliveriesPage = lazy(() => import("./developers/webhooks/deliveries-page.tsx"));
const NewWebhookPage = lazy(() => import("./developers/webhooks/new-webhook-page.tsx"));
const WebhookPage = lazy(() => import("./developers/webhooks/webhook-page.tsx"));
const KeysPage = lazy(() => import("./developers/access/keys-page.tsx"));
const PeoplePage = lazy(() => import("./developers/access/people-page.tsx"));
const AccountPage = lazy(() => import("./account/account-page.tsx"));
const MessagePage = lazy(() => import("./developers/message-page.tsx"));
const EventsPage = lazy(() => import("./developers/events-page.tsx"));
const DocsPage = lazy(() => import("./docs/docs-page.tsx"));
const OutboxPage = lazy(() => import("./developers/outbox-page.tsx"));

const SignedInPages = () => (
  <SignedIn>
    <Shell>
      <Suspense fallback={<LoadingLines />}>
        <Switch>
          <Route path="/" component={HomePage} />
          <Route path="/recovery" component={RecoveryPage} />
          <Route path="/recovery/unmapped" component={UnmappedPage} />
          <Route path="/recovery/policies" component={PoliciesPage} />
          <Route path="/recovery/policies/new" component={PolicyEditorPage} />
          <Route path="/recovery/policies/:id">{({ id }) => <PolicyPage key={id} id={id} />}</Route>
          <Route path="/recovery/experiments" component={ExperimentsPage} />
          <Route path="/recovery/experiments/:id">{({ id }) => <ExperimentPage key={id} id={id} />}</Route>
          <Route path="/recovery/model" component={ModelPage} />
          <Route path="/recovery/:id">{({ id }) => <CoverPage key={id} id={id} />}</Route>
          <Route path="/orders" component={OrdersPage} />
          <Route path="/orders/:id">{({ id }) => <OrderPage key={id} id={id} />}</Route>
          <Route path="/customers" component={CustomersPage} />
          <Route path="/customers/:id">{({ id }) => <CustomerPage key={id} id={id} />}</Route>
          <Route path="/subscriptions" component={SubscriptionsPage} />
          <Route path="/subscriptions/:id">{({ id }) => <SubscriptionPage key={id} id={id} />}</Route>
          <Route path="/products" component={ProductsPage} />
          <Route path="/products/:id">{({ id }) => <ProductPage key={id} id={id} />}</Route>
          <Route path="/invoices" component={InvoicesPage} />
          <Route path="/invoices/:id">{({ id }) => <InvoicePage key={id} id={id} />}</Route>
          <Route path="/payments" component={PaymentsPage} />
          <Route path="/payments/:id">{({ id }) => <PaymentPage key={id} id={id} />}</Route>
          <Route path="/developers" component={DevelopersPage} />
          <Route path="/developers/deliveries" component={DeliveriesPage} />
          <Route path="/developers/keys" component={KeysPage} />
          <Route path="/developers/people" component={PeoplePage} />
          <Route path="/account" component={AccountPage} />
          <Route path="/developers/events" component={EventsPage} />
          <Route path="/developers/outbox" component={OutboxPage} />
          <Route path="/developers/outbox/:id">{({ id }) => <MessagePage key={id} id={id} />}</Route>
          <Route path="/developers/webhooks/new" component={NewWebhookPage} />
          <Route path="/developers/webhooks/:id">{({ id }) => <WebhookPage key={id} id={id} />}</Route>
          <Route component={NotFoundPage} />
        </Switch>
      </Suspense>
    </Shell>
  </SignedIn>
);

export const App = () => (
  <Suspense fallback={<LoadingLines />}>
    <Switch>
      <Route path="/password">
        <PasswordPage key="password" />
      </Route>
      <Route path="/invitation">
        <PasswordPage key="invitation" isInvitation />
      </Route>
      <Route path="/docs">
        <DocsPage />
      </Route>
      <Route path="/docs/:name">{({ name }) => <DocsPage name={name} />}</Route>
      <Route component={SignedInPages} />
    </Switch>
  </Suspense>
);
