/**
 * First IDs of generated records. A record's ID is the first ID plus its index, so that a record can be found and generated
 * without those before it.
 */
export const firstIds = {
	event: 1001,
	registrationType: 2001,
	session: 3001,
	optionGroup: 4001,
	contactList: 7001,
	option: 41001,
	registration: 5_000_001,
	order: 6_000_001,
	transaction: 7_000_001,
	orderItem: 8_000_001,
	eventCheckIn: 9_000_001,
	contact: 10_000_001,
	sessionCheckIn: 20_000_001,
} as const;

/** First IDs of records that are created while the sandbox runs. */
export const firstNewIds = {
	session: 39_001,
	contactList: 7_901,
	registration: 5_900_001,
	order: 6_900_001,
	transaction: 7_900_001,
	orderItem: 8_900_001,
	eventCheckIn: 9_900_001,
	contact: 10_900_001,
	sessionCheckIn: 19_000_001,
} as const;

/** Number of IDs reserved for each registration. */
export const idsPerRegistration = { transaction: 2, orderItem: 5 } as const;

/** Number of check-in IDs reserved for each session. */
export const IDS_PER_SESSION = 100_000;
