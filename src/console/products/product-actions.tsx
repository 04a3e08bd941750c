import { useState } from "react";
import { Button, Group } from "@mantine/core";
import { ActionDialog } from "../actions/action-dialog.tsx";
import { actionsTexts } from "../actions/actions.texts.ts";
import { useAction } from "../actions/use-action.ts";
import type { ProductStatus, ProductType } from "../generated/operations.ts";
import { useTexts } from "../language/language.tsx";
import { PlanDialog } from "./plan-dialog.tsx";
import { SET_PRODUCT_STATUS } from "./product-actions.query.ts";
import { productActionsTexts } from "./product-actions.texts.ts";

interface ActionsProps {
  product: { id: string; status: ProductStatus; type: ProductType };
}

const LISTED: readonly ProductStatus[] = ["SALE", "OUT_OF_STOCK"];

/** Buttons to add a price plan, and to take a product off sale and put it back; each says first what it does. */
export function ProductActions({ product }: ActionsProps) {
  const texts = useTexts(productActionsTexts);
  const { actions } = useTexts(actionsTexts);
  const [open, setOpen] = useState<"plan" | "status">();
  const close = () => setOpen(undefined);
  const isListed = LISTED.includes(product.status);
  return (
    <Group role="group" aria-label={actions} gap="xs">
      {product.type !== "BUNDLE" && (
        <Button variant="default" onClick={() => setOpen("plan")}>
          {texts.addPlan}
        </Button>
      )}
      {(isListed || product.status === "UNSOLD") && (
        <Button variant="default" onClick={() => setOpen("status")}>
          {isListed ? texts.unlist : texts.list}
        </Button>
      )}
      {open === "plan" && <PlanDialog productId={product.id} onClose={close} />}
      {open === "status" && <StatusDialog product={product} isListed={isListed} onClose={close} />}
    </Group>
  );
}

function StatusDialog({ product, isListed, onClose }: ActionsProps & { isListed: boolean; onClose: () => void }) {
  const texts = useTexts(productActionsTexts);
  const { isRunning, problem, run } = useAction(SET_PRODUCT_STATUS);
  const confirm = async () => {
    if (await run({ input: { id: product.id, status: isListed ? "UNSOLD" : "SALE" } })) onClose();
  };
  const title = isListed ? texts.unlist : texts.list;
  return (
    <ActionDialog
      title={title}
      confirm={title}
      consequences={isListed ? [texts.unlistRule, texts.unlistSubscriptions] : [texts.listRule]}
      isRunning={isRunning}
      problem={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    />
  );
}
