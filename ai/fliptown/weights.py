"""What each feature of a sheet adds to what is still to come, learned from games.

Each line is a feature and its weights in thousandths of a point: by the part of the game that is
left, by its square. Of a hand: the weight alone. Made by ``scripts/fliptown_weights.py``.
"""

from __future__ import annotations

from functools import cache

TURNS = 15


@cache
def table(left: int) -> dict[str, float]:
    """Return the weights in points of all features with so many turns left after this one."""
    part = left / TURNS
    found = {}
    for line in LEARNED.splitlines():
        name, _, numbers = line.partition(":")
        weights = [int(each) for each in numbers.split()]
        if len(weights) == 1:
            found[name] = weights[0] / 1000
        elif weights:
            found[name] = (weights[0] * part + weights[1] * part * part) / 1000
    return found


LEARNED = """\
1 10: 71 -542
1 11: -1173 -165
1 12: -498 -1075
1 13: 564 1333
1 2: -1310 -805
1 3: 992 -504
1 4: 283 1012
1 5: 481 -20
1 6: 910 392
1 7: 812 -900
1 8: -224 347
1 9: 1235 -1968
2 0: 3872 -1455
2 1: 2836 704
2 10: -1214 97
2 11: 94 700
2 12: 1571 853
2 13: 238 126
2 2: 63 -142
2 3: -1546 468
2 4: 215 2175
2 5: -890 266
2 6: 555 -326
2 7: 1381 1754
2 8: 839 814
2 9: 384 64
3 1: -1052 1567
3 10: 1060 765
3 11: 945 -8
3 12: -2684 -1355
3 13: -5410 1559
3 2: -181 -78
3 3: 1094 722
3 4: -1919 920
3 5: 2860 1931
3 6: 306 128
3 7: -3239 757
3 8: -3011 554
3 9: 1399 -539
4 0: -777 -850
4 1: 497 828
4 2: -160 -368
4 3: 2208 33
4 4: 4287 3084
4 5: 2352 1126
4 6: 384 -403
4 7: 516 3279
4 8: -110 -149
cash 12: -658 1245
cash 16: -78 -357
cash 2: -95 688
cash 24: 247 -482
cash 4: -383 343
cash 6: 755 -404
cash 8: 391 -489
gold 1: 68 140
gold 12: -70 424
gold 2: 897 62
gold 20: 1299 -2055
gold 4: 15 -1583
gold 6: -314 -153
gold 8: -488 1893
hammers 4: 2485 302
hand 1 fs: 2214
hand 11 : 657
hand 11 f: 1035
hand 11 fs: 997
hand 11 s: 489
hand 111 : 13
hand 111 f: 1096
hand 111 fs: 1051
hand 111 s: 377
hand 2 : 1500
hand 21 : 1494
hand 3 : -98
hotel 0: 3757 545
hotel 1: 1609 3151
hotel 2: -1053 -609
hotel 3: -25 -3
item 0: -1884 929
item 1: -44 -9
item 10: 123 45
item 11: -160 -43
item 12: -1052 1567
item 13: 168 59
item 2: -3847 -118
item 3: 886 -144
item 4: -311 -259
item 5: 6431 477
item 9: 1457 921
kind 0 0: -408 -423
kind 0 1: 4 -4
kind 0 2: 1182 980
kind 0 3: 3509 2531
kind 1 0: -2517 -970
kind 1 1: 4432 71
kind 1 2: 890 2240
kind 1 3: 1482 1743
kind 2 0: -4923 563
kind 2 1: 6810 -2648
kind 2 2: 2230 1443
kind 2 3: 169 3726
kind 3 0: -2298 -790
kind 3 1: 2196 -13
kind 3 2: 1395 2490
kind 3 3: 2994 1398
land 0: -1199 112
land 1: -345 435
land 2: -490 -176
land 3: -802 -311
land 4: -943 1478
land 5: 208 506
land 6: -586 -222
land 7: -2083 -77
land 8: -1778 448
open 0: 415 4539
open 1: 1450 2380
open 10: 1650 -743
open 11: 791 719
open 12: -1725 190
open 13: 602 688
open 2: 3808 -1313
open 3: 1081 -3117
open 4: 2621 -1471
open 5: 953 -408
open 6: 82 1417
open 7: 108 114
open 8: -624 1361
open 9: -1274 202
pair 0: 2793 799
pair 1: 1256 1194
pair 10: 3771 -195
pair 11: 1165 654
pair 2: 2079 3051
pair 3: 1935 1958
pair 4: 1102 1626
pair 5: 5289 990
pair 6: 2751 -1525
pair 7: 3790 2256
pair 8: 1210 511
pair 9: 4763 -305
pans 4: -495 3865
stones: -1619 -349
trail 0: 3338 1132
trail 10: 805 755
trail 11: 38 13
trail 12: 610 -2154
trail 13: -5705 703
trail 3: 254 38
trail 4: -9 1
trail 5: 326 261
trail 6: 2231 2016
trail 7: 12 2
trail 8: 1714 496
trail 9: 672 -180
uses: 0 0
wanted 10: 185 -580
wanted 13: 725 -1417
wanted 18: 1856 -1494
wanted 2: 1512 -508
wanted 4: 1019 -1049
wanted 6: 222 -449
wanted 8: 224 -186
"""
