import { gql } from "urql";
import type { BacktestPolicyMutation, BacktestPolicyMutationVariables } from "../../generated/operations.ts";

/** The parts of a backtest that its figures show. */
export const BACKTEST = /* GraphQL */ `
  fragment BacktestFigures on RecoveryBacktest {
    from
    until
    madeAt
    cases
    runningCases
    unusableCases
    effectiveSampleSize
    noFigureReason
    isWorse
    current {
      ...PolicyFigures
    }
    proposed {
      ...PolicyFigures
    }
    difference {
      ...PolicyFigures
    }
    differenceByWeights {
      recoveredShare {
        low
        high
      }
    }
  }
  fragment PolicyFigures on PolicyValue {
    recoveredShare {
      value
      low
      high
    }
    recoveredAmount {
      value
      low
      high
    }
    attemptsPerCase {
      value
      low
      high
    }
  }
`;

export const BACKTEST_POLICY = gql<BacktestPolicyMutation, BacktestPolicyMutationVariables>(/* GraphQL */ `
  mutation BacktestPolicy($input: BacktestRecoveryPolicyInput!) {
    backtestRecoveryPolicy(input: $input) {
      ...BacktestFigures
    }
  }
  ${BACKTEST}
`);
