import { useLanguage } from "../language/language.tsx";
import { monthsBetween, weeksOf } from "./calendar.dates.ts";

/** What happens on a day of the calendar. */
export interface CalendarMark {
  /** The day, as YYYY-MM-DD. */
  day: string;
  kind: "declined" | "next" | "later" | "recovered";
  label: string;
}

const MAX_MONTHS = 3;
const LOCALES = { en: "en-US", ko: "ko-KR" };

/** The months from the first to the last mark, with the marked days. */
export function Calendar({ label, marks }: { label: string; marks: readonly CalendarMark[] }) {
  const months = monthsBetween(marks.map(({ day }) => day)).slice(-MAX_MONTHS);
  return (
    <div className="calendar" role="group" aria-label={label}>
      {months.map((month) => (
        <Month key={month} month={month} marks={marks} />
      ))}
    </div>
  );
}

function Month({ month, marks }: { month: string; marks: readonly CalendarMark[] }) {
  const { language } = useLanguage();
  const format = (day: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(LOCALES[language], { ...options, timeZone: "UTC" }).format(new Date(day));
  // 1 March 2026 is a Sunday.
  const weekdays = Array.from({ length: 7 }, (_, index) => `2026-03-0${index + 1}`);
  return (
    <table>
      <caption>{format(`${month}-01`, { year: "numeric", month: "long" })}</caption>
      <thead>
        <tr>
          {weekdays.map((day) => (
            <th key={day} scope="col">
              <abbr title={format(day, { weekday: "long" })}>{format(day, { weekday: "narrow" })}</abbr>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month).map((week) => (
          <tr key={week.join()}>
            {week.map((day, index) => {
              const mark = marks.find((one) => one.day === day);
              return (
                <td key={day ?? index} data-mark={mark?.kind}>
                  {day && Number(day.slice(8))}
                  {mark && <span className="visually-hidden">, {mark.label}</span>}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
