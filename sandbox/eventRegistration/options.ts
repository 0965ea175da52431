import type { FieldProblems } from '../controlError';
import type { DemoEvent } from '../demoData';
import type { Act } from '../deskBus';
import { addTransaction } from './payments';
import { fullName, iso, totals } from './records';
import type { Order, Registration } from './records';
import { invalid } from './responses';
import type { Store } from './store';

interface WantedOption {
	RegistrationOptionId: number;
	RegistrationOptionGroupId?: number;
	Quantity?: number;
	Price?: number;
	Total?: number;
	AdditionalInfo?: string;
}

/** Body of the operation Replace Options. */
export interface ReplaceOptions {
	PaymentAmount?: number;
	RegistrationOptions: WantedOption[];
}

interface Choice {
	wanted: WantedOption;
	option: DemoEvent['groups'][number]['options'][number];
	group: DemoEvent['groups'][number];
	quantity: number;
}

function choose(event: DemoEvent, wanted: readonly WantedOption[]): Choice[] {
	const wrong: FieldProblems = {};
	const choices: Choice[] = [];
	wanted.forEach((item, index) => {
		const complain = (field: string, text: string) => {
			(wrong[`RegistrationOptions[${index}].${field}`] ??= []).push(text);
		};
		const group = event.groups.find(({ options }) =>
			options.some(({ id }) => id === item.RegistrationOptionId),
		);
		const option = group?.options.find(({ id }) => id === item.RegistrationOptionId);
		if (!group || !option) {
			complain('RegistrationOptionId', `There is no such option in event ${event.id}.`);
			return;
		}
		if ((item.RegistrationOptionGroupId ?? group.id) !== group.id) {
			complain('RegistrationOptionGroupId', `The option belongs to group ${group.id}.`);
		}
		const quantity = item.Quantity ?? 1;
		if (quantity > option.max) complain('Quantity', `At most ${option.max} per attendee.`);
		if (option.questionRequired && !item.AdditionalInfo?.trim()) {
			complain('AdditionalInfo', `${option.question} is required.`);
		}
		choices.push({ wanted: item, option, group, quantity });
	});
	if (Object.keys(wrong).length > 0) throw invalid(wrong);
	return choices;
}

/**
 * Replaces the current order with a new one and charges the given amount, or else the difference between the two. Calling it
 * twice charges twice.
 */
export function replaceOptions(
	store: Store,
	event: DemoEvent,
	registration: Registration,
	input: ReplaceOptions,
	act: Act,
): Order & { TransactionId: number | null } {
	const choices = choose(event, input.RegistrationOptions);
	const before = store.salesOf(event, registration.RegistrationId).at(-1);
	const orderId = store.newId('order');
	const items = choices.map(({ wanted, option, group, quantity }) => {
		const id = store.newId('orderItem');
		const price = wanted.Price ?? option.price;
		return {
			OrderItemId: id,
			OrderId: orderId,
			EventId: event.id,
			Id: String(id),
			RegistrationOptionId: option.id,
			RegistrationOptionName: option.name,
			RegistrationOptionGroupId: group.id,
			RegistrationOptionGroupName: group.name,
			Quantity: quantity,
			Price: price,
			Total: wanted.Total ?? price * quantity,
			AdditionalInfo: wanted.AdditionalInfo ?? '',
			AdditionalInfoCaption: option.question,
		};
	});
	const order: Order = {
		OrderId: orderId,
		Id: String(orderId),
		EventId: event.id,
		RegistrationId: registration.RegistrationId,
		OrderDate: iso(act.now),
		...totals(items),
		PassFeeToAttendee: false,
		IsReplaced: false,
	};
	const sale = { order, items };
	if (before) before.order.IsReplaced = true;
	store.sales.add(event.index, sale);
	const later = store.laterSales.get(registration.RegistrationId) ?? [];
	store.laterSales.set(registration.RegistrationId, [...later, sale]);
	registration.LastUpdated = iso(act.now);

	const difference = order.OrderTotal - (before?.order.OrderTotal ?? 0);
	const amount = input.PaymentAmount ?? difference;
	store.publish(
		act,
		`${fullName(registration)} ordered for ${order.OrderTotal} ${event.currency}`,
		{ event },
	);
	if (amount === 0) return { ...order, TransactionId: null };
	const memo = before ? `Replaces order ${before.order.OrderId}` : '';
	const transaction = addTransaction(store, event, { orderId, amount, memo }, act);
	return { ...order, TransactionId: transaction.TransactionId };
}
