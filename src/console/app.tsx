import { lazy, Suspense } from "react";
import { Route, Switch } from "wouter";
import { LoadingLines } from "./parts/notices.tsx";
import { NotFoundPage } from "./parts/not-found-page.tsx";
import { SignedIn } from "./session/signed-in.tsx";
import { Shell } from "./shell/shell.tsx";

// Each page is a file of its own: the first load has what the first page needs.
const HomePage = lazy(() => import("./home/home-page.tsx"));
const RecoveryPage = lazy(() => import("./recovery/recovery-page.tsx"));
const CoverPage = lazy(() => import("./recovery/cover-page.tsx"));

export const App = () => (
  <SignedIn>
    <Shell>
      <Suspense fallback={<LoadingLines />}>
        <Switch>
          <Route path="/" component={HomePage} />
          <Route path="/recovery" component={RecoveryPage} />
          <Route path="/recovery/:id">{({ id }) => <CoverPage key={id} id={id} />}</Route>
          <Route component={NotFoundPage} />
        </Switch>
      </Suspense>
    </Shell>
  </SignedIn>
);
