import { useState } from "react";
import { Button, Group, TextInput } from "@mantine/core";
import { useTexts } from "../language/language.tsx";
import { useFilter } from "./filters.tsx";
import { partsTexts } from "./parts.texts.ts";

/** Searches a list by a text; the text is in the address as `search`. */
export function SearchFilter({ label, hint }: { label?: string; hint: string }) {
  const texts = useTexts(partsTexts);
  const [sent, change] = useFilter("search");
  const [text, setText] = useState(sent);
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          change(text.trim());
        }}
      >
        <Group align="flex-end" gap="xs" wrap="nowrap">
          <TextInput
            type="search"
            flex="1"
            miw={{ base: 0, sm: "16rem" }}
            label={label ?? texts.search}
            placeholder={hint}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          <Button type="submit" variant="default">
            {texts.searchNow}
          </Button>
        </Group>
      </form>
    </search>
  );
}
