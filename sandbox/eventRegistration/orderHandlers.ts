import type { ServiceRequest, Handler, Settings } from '../service';
import type { Transaction } from './records';
import {
	filterNewer,
	createPageResponse,
	notFound,
	createRecordResponse,
	createRecordOrArrayResponse,
} from './responses';
import type { PageQuery } from './responses';
import type { Store } from './store';

type AddedAfterQuery = PageQuery & { addedAfter?: string };
interface EventQuery {
	eventId: number;
}

/** Handlers of orders and transactions. */
export function orderHandlers(store: () => Store, settings: Settings): Record<string, Handler> {
	const findSale = (orderId: number, eventId: number) =>
		store().getOrder(store().getEvent(eventId), orderId);
	const createTransactionsResponse = (
		transactions: readonly Transaction[],
		query: AddedAfterQuery,
	) =>
		createPageResponse(
			settings,
			query,
			filterNewer(transactions, query.addedAfter, ({ TransactionDate }) => TransactionDate),
		);

	return {
		searchOrders({ query, body }: ServiceRequest<object, AddedAfterQuery, number>) {
			const sales = store().orders.list(store().getEvent(body).index);
			const newerSales = filterNewer(sales, query.addedAfter, ({ order }) => order.OrderDate);
			return createPageResponse(settings, query, newerSales, ({ order }) => order);
		},
		searchOrderItems({ query, body }: ServiceRequest<object, PageQuery & EventQuery, number>) {
			const event = store().getEvent(query.eventId);
			const registration = store().getRegistration(event, body);
			const sales = store().listOrders(event, registration.RegistrationId);
			return createPageResponse(
				settings,
				query,
				sales.flatMap(({ items }) => items),
			);
		},
		getOrder({ params, query }: ServiceRequest<{ orderId: number }, EventQuery>) {
			return createRecordResponse(settings, findSale(params.orderId, query.eventId).order);
		},
		getOrderItems({ params, query }: ServiceRequest<{ orderId: number }, PageQuery & EventQuery>) {
			return createPageResponse(settings, query, findSale(params.orderId, query.eventId).items);
		},
		getManyTransactions({ query }: ServiceRequest<object, AddedAfterQuery>) {
			return createTransactionsResponse(store().transactions.all(), query);
		},
		searchTransactions({ query, body }: ServiceRequest<object, AddedAfterQuery, number>) {
			return createTransactionsResponse(
				store().transactions.list(store().getEvent(body).index),
				query,
			);
		},
		getTransaction({ params }: ServiceRequest<{ transactionId: number }>) {
			const located = store().transactions.find(params.transactionId);
			if (!located) throw notFound(`There is no transaction ${params.transactionId}.`);
			return createRecordOrArrayResponse(settings, located.record);
		},
	};
}
