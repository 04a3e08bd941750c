import { Fragment } from "react";

/** The name of an event's type, such as `order.paid`; where it is too long for its place, it breaks after a dot or underscore. */
export const EventName = ({ name }: { name: string }) => (
  <span className="event-name">
    {name.split(/(?<=[._])/).map((part, index) => (
      <Fragment key={index}>
        {index > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </span>
);
