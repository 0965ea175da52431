const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a calendar day exists: JavaScript itself parses 30 February as 1 March. */
function isRealDay(text: string): boolean {
	const [year, month, day] = text.slice(0, 10).split('-').map(Number);
	const date = new Date(Date.UTC(year!, month! - 1, day));
	return date.getUTCMonth() === month! - 1 && date.getUTCDate() === day;
}

/** Validators of the string formats that the contracts use; JSON Schema leaves them to the validator. */
export const formats = {
	'date-time': (text: string) =>
		DATE_TIME.test(text) && isRealDay(text) && !Number.isNaN(Date.parse(text)),
	date: (text: string) => DATE.test(text) && isRealDay(text),
	email: /^[^\s@]+@[^\s@]+$/,
	uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
	uri: (text: string) => URL.canParse(text),
	'uri-reference': true,
	hostname: true,
	ipv4: /^(\d{1,3}\.){3}\d{1,3}$/,
	ipv6: /^[0-9a-f:.]+$/i,
} as const;
